package io.railflux.engine;

import io.railflux.fabric.Endpoint;
import io.railflux.metrics.RailEvent.Kind;
import io.railflux.wire.RedialRequest;
import io.railflux.wire.Versions;

/** One connection that was lost and that the accepting side makes an endpoint for. Engine thread only. */
final class Redial implements Dial {

  private final Redials owner;
  private final VirtualChannel channel;
  private final Path path;
  private final int lostId;
  private final Pauses pauses = new Pauses();
  private RedialState state = RedialState.WAITING;

  Redial(Redials owner, VirtualChannel channel, Subchannel lost) {
    this.owner = owner;
    this.channel = channel;
    this.path = lost.path;
    this.lostId = lost.id;
  }

  int lostId() {
    return lostId;
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

  void again(String reason) {
    Engine engine = channel.engine();
    EngineConfig.Again again = engine.config().timing().again();
    long pause =
        pauses.nextNanos(again.firstPauseNanos(), again.longestPauseNanos(), engine.randomLong());
    channel.tell(Kind.RETRYING, path, reason + "; again in " + pause / 1_000_000 + " ms");
    engine.timers().at(engine.nowNanos() + pause, this::dial);
  }

  private void dial() {
    String location = isWanted() ? owner.location(path) : null;
    if (location == null) {
      become(RedialState.OVER);
      return;
    }
    become(RedialState.DIALING);
    channel.engine().handshakes(path.rail).connect(location, this);
  }

  /**
   * Whether it, or what another connection to the same host made of it, is still lost: the peer may have been faster, or
   * not want it any more.
   */
  private boolean isWanted() {
    return !channel.isClosed() && channel.paths().isOneLostBeside(path);
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
        lostId,
        channel.session().hello().attempt().firstPsn());
  }

  void joined() {
    become(RedialState.OVER);
  }

  /** The peer does not want it, and if it ever does, connects itself. */
  void refused() {
    become(RedialState.OVER);
  }

  @Override
  public void failed(String reason) {
    if (state == RedialState.DIALING && isWanted()) {
      become(RedialState.WAITING);
      again(reason);
    } else if (state == RedialState.DIALING) {
      become(RedialState.OVER);
    }
  }

  @Override
  public void nodeLeaves(String reason) {
    // Sessions that are there stay until they are closed.
  }
}
