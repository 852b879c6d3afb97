package io.railflux.lab;

/**
 * What one flow of messages, a stream or the replies to a request, is to do.
 *
 * @param count messages the source has
 * @param at message at which the story turns, 0 to {@code count}
 */
record FlowPlan(Story story, int count, int at, Content content, Manner manner) {

  /**
   * What messages look like.
   *
   * @param headers every message carries one
   * @param timeToLiveNanos 0 for none
   */
  record Content(Sizes sizes, int maxBytes, boolean headers, long timeToLiveNanos) {}

  /** Distribution of message sizes. */
  enum Sizes {
    TINY,
    SMALL,
    MIXED,
    LARGE
  }

  /** How the two sides behave in time. */
  record Manner(
      SourceKind source,
      Pace pace,
      long openDelayNanos,
      long subscribeDelayNanos,
      boolean foreign) {}

  /** Where values come from. */
  enum SourceKind {
    /** Pulled without a queue. */
    FUSED,
    /** Answers inside of request. */
    SYNC,
    /** A little later, on the engine's thread. */
    ASYNC_ENGINE,
    /** A little later, on another thread. */
    ASYNC_FOREIGN,
    /** Nothing for long, then many at once, on another thread. */
    BURSTS
  }

  /** How a subscriber requests. */
  enum Pace {
    UNBOUNDED,
    ONE_BY_ONE,
    BATCHES,
    /** One at a time, some time after the last. */
    SLOW,
    /** Many at a time, some time after all of the last were there. */
    BURSTS,
    /** In batches first, then without bound. */
    ESCALATING
  }

  /** Size of a message, the same whenever it is asked for. */
  int sizeOf(long key, long number) {
    if (story == Story.TOO_LARGE && number == at) {
      return content.maxBytes + 1;
    }
    SeededRandom random = new SeededRandom(key * 31 + number);
    int max = content.maxBytes;
    int size = switch (content.sizes) {
      case TINY -> random.below(17);
      case SMALL -> random.below(300);
      case MIXED -> random.chance(0.8) ? random.below(400) : random.below(max + 1);
      case LARGE -> max - random.below(Math.min(max, 200) + 1);
    };
    // A message that may be skipped tells its number.
    return Math.min(max, isTimed() ? Math.max(Long.BYTES, size) : size);
  }

  boolean isTimed() {
    return content.timeToLiveNanos > 0;
  }
}
