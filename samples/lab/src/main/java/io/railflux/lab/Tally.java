package io.railflux.lab;

import io.railflux.engine.base.ChannelCounters;
import io.railflux.engine.base.StreamFailure;
import java.util.List;

/** Adds up the counters of the engines of a run. */
final class Tally {

  private long replays;
  private long duplicates;
  private long resumed;
  private long restarts;
  private long delivered;
  private long deaths;

  Tally(List<Link> links) {
    for (Link link : links) {
      boolean replayed = false;
      boolean clean = true;
      for (Side side : link.sides()) {
        ChannelCounters counters = side.channel.counters();
        replays += counters.framesReplayed();
        duplicates += counters.duplicatesDropped();
        replayed |= counters.framesReplayed() > 0;
        StreamFailure failure = side.failure();
        clean &= side.isEnded() && failure == null;
        deaths += side.hasFoundDead() ? 1 : 0;
        restarts += failure != null && failure.text().contains("the node restarted") ? 1 : 0;
      }
      resumed += clean && replayed ? 1 : 0;
      for (Flow flow : link.flows()) {
        delivered += flow.delivered();
      }
    }
  }

  long duplicates() {
    return duplicates;
  }

  Outcome.Counts counts() {
    return new Outcome.Counts(replays, duplicates, resumed, restarts, delivered, deaths);
  }
}
