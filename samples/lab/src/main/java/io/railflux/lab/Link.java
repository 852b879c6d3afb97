package io.railflux.lab;

import io.railflux.engine.base.StreamFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Two connected engines, and the flows between them. */
final class Link {

  private final Side first;
  private final Side second;
  private final Journal journal;
  private final SeededRandom random;
  private final List<Flow> flows = new ArrayList<>();

  /** The session may be lost, or was closed while flows were active. */
  private boolean mayLose;

  private boolean closing;

  Link(Side first, Side second, Journal journal, SeededRandom random) {
    this.first = first;
    this.second = second;
    this.journal = journal;
    this.random = random;
    watch(first);
    watch(second);
  }

  private void watch(Side side) {
    side.channel.onEnd(failure -> ended(side, failure));
  }

  private void ended(Side side, StreamFailure failure) {
    journal.record(Seen.CHANNEL_ENDED, side.node.name().charAt(0), failure == null ? 0 : 1);
    journal.note(side.node.name() + ": channel ended: " + failure);
    side.ended(failure);
    if (failure == null) {
      journal.require(closing, "a channel closed although neither side closed it");
      return;
    }
    boolean atFault =
        failure.kind() == StreamFailure.Kind.VIOLATION || failure.text().contains("fault of");
    journal.require(
        mayLose && !atFault, side.node.name() + " lost its peer without cause: " + failure);
    if (failure.text().contains("its process ended")) {
      side.foundDead();
      Side other = side == first ? second : first;
      journal.require(!other.isAlive(), side.node.name() + " considers a live peer dead");
    }
  }

  /** Requires that the survivor of a killed process ended its session, on hosts that report deaths. */
  void requireDeathKnown(SimulatedNode killed) {
    Side survivor = first.node == killed ? second : first;
    journal.require(
        survivor.isEnded() || !survivor.isAlive(),
        survivor.node.name() + " still waits for a peer whose death was reported");
  }

  /** Schedules streams and requests. {@code registry} maps keys to flows. */
  void begin(Scenario.Load load, long spreadNanos, Map<Long, Flow> registry) {
    int maxBytes = Math.min(first.channel.maxMessageBytes(), second.channel.maxMessageBytes());
    Planner planner = new Planner(random, maxBytes, spreadNanos, load.flood());
    int left = load.messages();
    boolean mostlyForth = random.chance(0.5);
    // Stream names are not reused.
    for (int i = flows.size(); left > 0; i++) {
      boolean forth = random.chance(load.flood() ? 0.05 : 0.5) != mostlyForth;
      Side from = forth ? first : second;
      Side to = forth ? second : first;
      boolean isRequest = random.chance(load.flood() ? 0.1 : 0.4);
      int most = Math.min(left, random.chance(load.flood() ? 0.8 : 0.3) ? 1_200 : 60);
      FlowPlan plan = isRequest ? planner.replies(Math.min(most, 40)) : planner.stream(most);
      left -= plan.count() + 4;
      Flow flow = flow((isRequest ? "r" : "s") + i, plan, from, to);
      Flow second = null;
      if (mayBeDoubled(flow)) {
        second = flow(flow.name, planner.second(), from, to);
      }
      start(flow, second, maxBytes, registry);
    }
  }

  private Flow flow(String name, FlowPlan plan, Side from, Side to) {
    return new Flow(random.nextLong(), name, plan, from, to, journal);
  }

  private void start(Flow flow, Flow second, int maxBytes, Map<Long, Flow> registry) {
    registry.put(flow.key, flow);
    flows.add(flow);
    if (second != null) {
      registry.put(second.key, second);
      flows.add(second);
    }
    if (flow.isReply()) {
      Exchanging.begin(flow, maxBytes, random.fork());
    } else {
      new StreamOpening(flow.from, flow.to, random.fork()).begin(flow, second);
    }
  }

  private boolean mayBeDoubled(Flow flow) {
    return !flow.isReply()
        && flow.plan.story() == Story.COMPLETES
        && flow.plan.count() > 0
        && random.chance(0.1);
  }

  /** Forbids the loss of this session from now on. */
  void mustLive() {
    mayLose &= isSpent();
  }

  void mayLose() {
    mayLose = true;
  }

  /** Returns whether one side is gone, even if the other side has not detected it. */
  boolean isSpent() {
    return hasEnded(first) || hasEnded(second);
  }

  boolean isLost() {
    return !closing && (hasEnded(first) || hasEnded(second));
  }

  /** Returns whether both sides are gone. */
  boolean isOver() {
    return hasEnded(first) && hasEnded(second);
  }

  private static boolean hasEnded(Side side) {
    return side.isEnded() || !side.isAlive();
  }

  boolean concerns(SimulatedNode node) {
    return first.node == node || second.node == node;
  }

  boolean isSettled() {
    for (int i = 0; i < flows.size(); i++) {
      if (!Verdict.isSettled(flows.get(i))) {
        return false;
      }
    }
    return true;
  }

  /** Returns whether all credit was returned and every rail carries the session again. */
  boolean isQuiet() {
    long rails = first.node.engine().rails().size();
    return first.isQuiet()
        && second.isQuiet()
        && first.channel.readings().ringCapacityBytes() == rails * second.chosenRingBytes()
        && second.channel.readings().ringCapacityBytes() == rails * first.chosenRingBytes();
  }

  /** Closes one side, or both at the same time. {@code abort} skips the drain. */
  void close(boolean abort) {
    closing = true;
    mayLose |= abort;
    journal.record(Seen.CLOSING, 0, abort ? 1 : 0);
    boolean both = random.chance(0.2);
    Side closer = random.chance(0.5) ? first : second;
    close(closer, abort);
    if (both) {
      close(closer == first ? second : first, abort);
    }
  }

  private void close(Side side, boolean abort) {
    if (!side.isAlive()) {
      return;
    }
    side.node.engine().execute(() -> {
      if (abort) {
        side.channel.abort("aborted by the workload");
      } else {
        side.channel.close(failure -> closed(side, failure));
      }
    });
  }

  private void closed(Side side, StreamFailure failure) {
    journal.record(Seen.CLOSED, side.node.name().charAt(0), failure == null ? 0 : 1);
    journal.require(
        failure == null || mayLose, side.node.name() + " could not close cleanly: " + failure);
  }

  /** Runs the final checks after both sides are gone. */
  void judge() {
    for (Flow flow : flows) {
      Verdict verdict = new Verdict(flow, journal);
      verdict.general();
      if (!mayLose) {
        verdict.story();
      }
    }
  }

  List<Side> sides() {
    return List.of(first, second);
  }

  List<Flow> flows() {
    return flows;
  }
}
