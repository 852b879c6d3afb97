package io.railflux.engine;

/**
 * The large messages of one peer in both directions: those that do not go through the ring, because they
 * would have to be copied or would not fit (R 3, 4). Engine thread only.
 */
final class Rendezvous {

  private final VirtualChannel channel;
  private final LargeTraffic traffic = new LargeTraffic();
  private final RendezvousSends sends;
  private final RendezvousReceives receives;

  Rendezvous(VirtualChannel channel) {
    this.channel = channel;
    this.sends = new RendezvousSends(channel);
    this.receives = new RendezvousReceives(channel);
  }

  LargeTraffic traffic() {
    return traffic;
  }

  RendezvousSends sends() {
    return sends;
  }

  RendezvousReceives receives() {
    return receives;
  }

  /** Moves what can be moved now; returns how many steps were taken. */
  int work() {
    sends.work();
    int steps = receives.work();
    for (int i = 0; i < channel.live().size(); i++) {
      steps += channel.live().get(i).lane().work();
    }
    channel.engine().countArrived(steps);
    return steps;
  }

  /** The subchannel is in error. */
  void lost(Subchannel subchannel) {
    receives.lost(subchannel);
    subchannel.lane().stop();
    sends.lost(subchannel);
  }

  /** Nothing takes effect through it any more, and what landed was looked at. */
  void drained(Subchannel subchannel) {
    subchannel.lane().drained();
    receives.drained(subchannel);
  }

  /** The channel ends: memory goes back when its endpoints are closed. */
  void end() {
    receives.ending();
    channel.engine().afterRelease(() -> {
      sends.end();
      receives.end();
    });
  }
}
