package io.railflux.engine.rendezvous;

import io.railflux.engine.base.EngineContext;
import io.railflux.engine.path.LargeTraffic;
import io.railflux.engine.path.SessionContext;
import io.railflux.engine.path.Subchannel;
import io.railflux.engine.send.ControlQueue;
import io.railflux.engine.send.SendPath;
import java.util.List;

/**
 * The large messages of one peer in both directions. Large messages bypass the ring because they would have to be
 * copied or do not fit (R 3, 4). Engine thread only.
 */
public final class RendezvousProtocol {

  private final EngineContext engine;
  private final List<Subchannel> live;
  private final LargeTraffic traffic = new LargeTraffic();
  private final RendezvousSends sends;
  private final RendezvousReceives receives;

  public RendezvousProtocol(SessionContext session, ControlQueue control, SendPath sendPath) {
    this.engine = session.engine();
    this.live = session.live();
    this.sends = new RendezvousSends(session, control, sendPath, traffic);
    this.receives = new RendezvousReceives(session, control, sendPath.striper(), traffic);
  }

  public LargeTraffic traffic() {
    return traffic;
  }

  public RendezvousSends sends() {
    return sends;
  }

  public RendezvousReceives receives() {
    return receives;
  }

  /** Advances all transfers as far as possible now. Returns the number of steps. */
  public int work() {
    sends.work();
    int steps = receives.work();
    for (int i = 0; i < live.size(); i++) {
      steps += live.get(i).lane().work();
    }
    engine.countArrived(steps);
    return steps;
  }

  /** Handles the loss of a subchannel, which is in error. */
  public void lost(Subchannel subchannel) {
    receives.lost(subchannel);
    subchannel.lane().stop();
    sends.lost(subchannel);
  }

  /** Handles the drain of a subchannel: nothing takes effect through it any more, and landed frames were read. */
  public void drained(Subchannel subchannel) {
    subchannel.lane().drained();
    receives.drained(subchannel);
  }

  /** Ends all transfers with the channel. Memory is released when its endpoints are closed. */
  public void end() {
    receives.ending();
    engine.afterRelease(() -> {
      sends.end();
      receives.end();
    });
  }
}
