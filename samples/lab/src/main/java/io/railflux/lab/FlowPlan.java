package io.railflux.lab;

/**
 * The planned course of one flow of messages: of a stream, or of the replies to a request.
 * @param count messages of the source
 * @param at index of the message at which the story turns, 0 to {@code count}
 */
record FlowPlan(Story story, int count, int at, Content content, Manner manner) {

  /**
   * The content of messages.
   * @param headers whether every message carries a header
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

  /** The timing of both sides. */
  record Manner(
      SourceKind source,
      Pace pace,
      long openDelayNanos,
      long subscribeDelayNanos,
      boolean foreign) {}

  /** The source of values. */
  enum SourceKind {
    /** Fused: the pipeline pulls without a queue. */
    FUSED,
    /** Emits inside of {@code request}. */
    SYNC,
    /** Emits after a short delay, on the engine thread. */
    ASYNC_ENGINE,
    /** Emits after a short delay, on another thread. */
    ASYNC_FOREIGN,
    /** Emits bursts after long pauses, on another thread. */
    BURSTS
  }

  /** The request pattern of a subscriber. */
  enum Pace {
    UNBOUNDED,
    ONE_BY_ONE,
    BATCHES,
    /** Requests one message at a time, with a pause after each. */
    SLOW,
    /** Requests several messages at a time, with a pause after the last of them. */
    BURSTS,
    /** Requests batches first, then an unbounded number. */
    ESCALATING
  }

  /** Returns the size of a message. Equal arguments return equal sizes. */
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
    // A message that may be skipped carries its number.
    return Math.min(max, isTimed() ? Math.max(Long.BYTES, size) : size);
  }

  boolean isTimed() {
    return content.timeToLiveNanos > 0;
  }
}
