package io.railflux.engine;

import io.railflux.engine.Engine.Target;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The connecting side's care for its rails: first contact, the other rails after it, and again each
 * rail that was lost, with growing, jittered pauses (FT4). Engine thread only.
 */
final class Reconnect {

  private static final int MAX_DOUBLINGS = 4;
  private static final int NONE = -1;

  private final Engine engine;
  private final List<Target> targets;
  private final int session;
  private final ChannelListener listener;
  private final int[] failures;
  private final int[] carriers;
  private final List<String> refusals = new ArrayList<>();
  private VirtualChannel channel;
  private int nextSubchannel;
  private boolean stopped;

  Reconnect(Engine engine, List<Target> targets, int session, ChannelListener listener) {
    this.engine = engine;
    this.targets = targets;
    this.session = session;
    this.listener = listener;
    this.failures = new int[targets.size()];
    this.carriers = new int[targets.size()];
    Arrays.fill(carriers, NONE);
  }

  void begin() {
    attempt(0);
  }

  private void attempt(int target) {
    if (stopped) {
      return;
    }
    if (channel != null && channel.recovery().isFull()) {
      // Each try would keep a ring: what was lost is settled first, or the peer given up.
      again(target);
      return;
    }
    Target to = targets.get(target);
    Attempt attempt = new Attempt(this, target, nextSubchannel++);
    engine.handshakes(to.rail()).connect(to.location(), attempt);
  }

  /** One try at one rail. */
  record Attempt(Reconnect owner, int target, int subchannelId) {

    /** null before the first contact. */
    VirtualChannel channel() {
      return owner.channel;
    }

    int session() {
      return owner.session;
    }

    Incarnation expectedPeer() {
      return owner.channel == null ? Incarnation.NONE : owner.channel.peer();
    }

    boolean isObsolete() {
      return owner.stopped;
    }

    void succeeded(VirtualChannel established, Subchannel subchannel) {
      owner.succeeded(target, established, subchannel);
    }

    void failed(String reason) {
      owner.failed(target, reason);
    }

    void nodeLeaves(String reason) {
      owner.nodeLeaves(reason);
    }

    void refused(String text, boolean sessionEnded) {
      owner.refused(target, text, sessionEnded);
    }
  }

  private void succeeded(int target, VirtualChannel established, Subchannel subchannel) {
    if (channel == null && stopped) {
      established.abort(givenUp());
      return;
    }
    failures[target] = 0;
    carriers[target] = subchannel.id;
    if (channel == null) {
      channel = established;
      channel.reconnectBy(this);
      listener.onEstablished(channel);
      for (int other = 0; other < targets.size(); other++) {
        if (other != target) {
          attempt(other);
        }
      }
    }
  }

  private void failed(int target, String reason) {
    if (stopped) {
      return;
    }
    if (channel != null) {
      again(target);
      return;
    }
    refusals.add(targets.get(target).location() + ": " + reason);
    int next = target + 1;
    while (next < targets.size() && targets.get(next).equals(targets.get(target))) {
      // Another connection to where nobody let this one in.
      next++;
    }
    if (next < targets.size()) {
      attempt(next);
    } else {
      stopped = true;
      listener.onFailed("cannot connect to " + String.join("; ", refusals));
    }
  }

  private void refused(int target, String text, boolean sessionEnded) {
    if (channel != null && sessionEnded && !stopped) {
      channel.lose(
          new StreamFailure(StreamFailure.Kind.LOST, channel.description() + " is lost: " + text));
    } else {
      failed(target, "refused: " + text);
    }
  }

  void lost(Subchannel subchannel) {
    for (int target = 0; target < carriers.length; target++) {
      if (carriers[target] == subchannel.id) {
        again(target);
        return;
      }
    }
  }

  private void again(int target) {
    int doublings = Math.min(failures[target]++, MAX_DOUBLINGS);
    long pause = engine.config().timing().reconnectNanos() << doublings;
    long jittered = pause / 2 + Math.floorMod(engine.randomLong(), pause / 2 + 1);
    engine.timers().at(engine.nowNanos() + jittered, () -> attempt(target));
  }

  void stop() {
    stopped = true;
  }

  /**
   * Nobody wants the peer. A HELLO on its way is answered first: the peer has a session by then, and
   * hears of its end only through it.
   */
  void giveUp() {
    stopped = true;
    if (channel != null) {
      channel.abort(givenUp());
    }
  }

  /** The node goes: whoever waits for the first contact hears of it. */
  void nodeLeaves(String reason) {
    if (!stopped && channel == null) {
      stopped = true;
      GuardedSink.run("connect", () -> listener.onFailed(reason));
    }
  }

  private String givenUp() {
    return "node '" + engine.nodeName() + "' gave the connection up";
  }
}
