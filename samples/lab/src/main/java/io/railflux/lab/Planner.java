package io.railflux.lab;

import io.railflux.lab.FlowPlan.Content;
import io.railflux.lab.FlowPlan.Manner;
import io.railflux.lab.FlowPlan.Pace;
import io.railflux.lab.FlowPlan.Sizes;
import io.railflux.lab.FlowPlan.SourceKind;

/** Draws the plans of flows. */
final class Planner {

  private final SeededRandom random;
  private final int maxBytes;
  private final long spreadNanos;
  private final boolean flood;

  /**
   * @param maxBytes largest message that both sides agreed on
   * @param spreadNanos interval in which flows begin
   * @param flood whether streams request all messages at once
   */
  Planner(SeededRandom random, int maxBytes, long spreadNanos, boolean flood) {
    this.random = random;
    this.maxBytes = maxBytes;
    this.spreadNanos = spreadNanos;
    this.flood = flood;
  }

  FlowPlan stream(int most) {
    return flow(streamStory(), random.chance(0.1) ? 0 : random.between(1, most));
  }

  /** Returns the plan of a flow that uses the name of another flow and is refused. */
  FlowPlan second() {
    Story story = random.chance(0.5) ? Story.SECOND_SENDER : Story.SECOND_SUBSCRIBER;
    return flow(story, 3);
  }

  FlowPlan replies(int most) {
    int count = random.chance(0.6) ? random.below(5) == 0 ? 0 : 1 : random.between(0, most);
    Story story = switch (random.below(12)) {
      case 0 -> Story.SOURCE_FAILS;
      case 1 -> Story.RECEIVER_CANCELS;
      case 2 -> Story.DECODER_THROWS;
      case 3 -> random.chance(0.3) ? Story.NO_ROUTE : Story.COMPLETES;
      case 4 -> random.chance(0.3) ? Story.CODEC_MISMATCH : Story.COMPLETES;
      default -> Story.COMPLETES;
    };
    // A single reply is a value or a failure, not both.
    return flow(story, count == 1 && story == Story.SOURCE_FAILS ? 0 : count);
  }

  private Story streamStory() {
    return switch (random.below(20)) {
      case 0 -> Story.SOURCE_FAILS;
      case 1, 2 -> Story.RECEIVER_CANCELS;
      case 3 -> Story.SENDER_CANCELS;
      case 4 -> Story.DECODER_THROWS;
      case 5 -> Story.SUBSCRIBER_THROWS;
      case 6 -> Story.TOO_LARGE;
      case 7 -> Story.CODEC_MISMATCH;
      case 8 -> Story.NEVER_SUBSCRIBED;
      default -> Story.COMPLETES;
    };
  }

  private FlowPlan flow(Story drawn, int drawnCount) {
    boolean needsMessage = drawn == Story.DECODER_THROWS
        || drawn == Story.SUBSCRIBER_THROWS
        || drawn == Story.TOO_LARGE;
    Story story = needsMessage && drawnCount == 0 ? Story.COMPLETES : drawn;
    Pace pace = random.chance(flood ? 0.9 : 0.3) ? Pace.UNBOUNDED : Pace.values()[random.below(6)];
    int count = pace == Pace.SLOW ? Math.min(drawnCount, 40) : drawnCount;
    int at = needsMessage ? random.below(Math.max(1, count)) : random.between(0, count);
    return new FlowPlan(story, count, at, content(), manner(pace));
  }

  private Content content() {
    boolean timed = maxBytes >= 64 && random.chance(0.08);
    Sizes sizes = sizes();
    long timeToLive = timed ? random.micros(50, 20_000) : 0;
    return new Content(sizes, maxBytes, random.chance(0.15), timeToLive);
  }

  private Sizes sizes() {
    int kind = random.below(4);
    return flood ? kind < 2 ? Sizes.MIXED : Sizes.LARGE : Sizes.values()[kind];
  }

  private Manner manner(Pace pace) {
    long open = random.between(0, spreadNanos);
    // Shortly after, long after or before the announcement.
    long subscribe = random.chance(0.5) ? open : random.between(0, spreadNanos);
    SourceKind source = SourceKind.values()[random.below(flood ? 3 : 5)];
    return new Manner(source, pace, open, subscribe, random.chance(0.4));
  }
}
