package io.railflux.engine;

import io.railflux.fabric.Endpoint;
import io.railflux.metrics.RailEvent.Kind;
import io.railflux.wire.RedialRequest;
import io.railflux.wire.Versions;

/**
 * One path that was lost and that the accepting side makes an endpoint for, one at a time. Engine thread only.
 */
final class Redial implements Dial {

  private final Redials owner;
  private final VirtualChannel channel;
  private final Path path;
  private final Pauses pauses = new Pauses();
  private RedialState state = RedialState.WAITING;
  private Timers.Timer pause;

  // Of subchannels that carried it: the one lost last, and the one that the peer is asked for.
  private int lostId;
  private int askedId;

  Redial(Redials owner, VirtualChannel channel, Path path) {
    this.owner = owner;
    this.channel = channel;
    this.path = path;
  }

  /** Which lost subchannel the endpoint being made is for. */
  int askedId() {
    return askedId;
  }

  VirtualChannel channel() {
    return channel;
  }

  private void become(RedialState next) {
    if (!state.canBecome(next)) {
      throw new IllegalStateException(
          "redial of " + path + ": " + state + " cannot become " + next);
    }
    state = next;
  }

  /** That subchannel carried it and was lost; the try that is under way, for one before it, comes to its end first. */
  void lost(int subchannelId) {
    lostId = subchannelId;
    if (state == RedialState.WAITING) {
      begin();
    }
  }

  private void begin() {
    pauses.reset();
    again("lost");
  }

  private void again(String reason) {
    if (pause != null) {
      pause.cancel();
    }
    Engine engine = channel.engine();
    EngineConfig.Again again = engine.config().timing().again();
    long nanos =
        pauses.nextNanos(again.firstPauseNanos(), again.longestPauseNanos(), engine.randomLong());
    channel.tell(Kind.RETRYING, path, reason + "; again in " + nanos / 1_000_000 + " ms");
    pause = engine.timers().at(engine.nowNanos() + nanos, this::dial);
  }

  private void dial() {
    String location = isWanted() ? owner.location(path) : null;
    if (location == null) {
      over();
      return;
    }
    become(RedialState.DIALING);
    askedId = lostId;
    channel.engine().handshakes(path.rail).connect(location, this);
  }

  /**
   * Whether it, or what another connection to the same host made of it, is still lost: the peer may have been faster, or
   * not want it any more. Of a path that was forgotten nothing is wanted, whatever else is lost there.
   */
  private boolean isWanted() {
    PathRepository paths = channel.paths();
    return !channel.isClosed() && paths.has(path) && paths.isOneLostBeside(path);
  }

  /** If the path is there by now, the peer says so. */
  @Override
  public boolean isObsolete() {
    return channel.isClosed();
  }

  @Override
  public Handshake handshake(Engine engine, Rail rail, Endpoint endpoint) {
    return new AcceptingHandshake(engine, rail, endpoint, this);
  }

  /** What the peer is told first: which subchannel of which session the endpoint is for. */
  RedialRequest request() {
    Incarnation own = channel.engine().incarnation();
    return new RedialRequest(
        Versions.SUPPORTED,
        own.high(),
        own.low(),
        channel.epoch(),
        askedId,
        channel.session().hello().attempt().firstPsn());
  }

  void joined() {
    settled();
  }

  /** The peer does not want it, and if it ever does, connects itself. */
  void refused() {
    settled();
  }

  /** Nothing is left to do about what was asked for; the path may have been there and been lost again meanwhile. */
  private void settled() {
    if (askedId == lostId) {
      over();
    } else {
      become(RedialState.WAITING);
      begin();
    }
  }

  private void over() {
    become(RedialState.OVER);
    owner.over(path);
  }

  @Override
  public void failed(String reason) {
    if (state == RedialState.DIALING && isWanted()) {
      become(RedialState.WAITING);
      again(reason);
    } else if (state == RedialState.DIALING) {
      over();
    }
  }

  @Override
  public void nodeLeaves(String reason) {
    // Sessions that are there stay until they are closed.
  }
}
