package io.railflux.engine.connect;

import io.railflux.engine.base.EngineConfig;
import io.railflux.engine.base.Incarnation;
import io.railflux.engine.base.Rail;
import io.railflux.engine.base.SessionMemory;
import io.railflux.engine.base.Timers;
import io.railflux.engine.path.Path;
import io.railflux.engine.path.PathRepository;
import io.railflux.engine.path.Subchannel;
import io.railflux.engine.session.ChannelHost;
import io.railflux.engine.session.VirtualChannel;
import io.railflux.fabric.Endpoint;
import io.railflux.metrics.RailEvent.Kind;
import io.railflux.wire.handshake.RedialRequest;
import io.railflux.wire.handshake.Versions;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiFunction;

/**
 * The accepting side's part in re-establishing lost connections (FT4, V 10.3.3: the side with the higher id connects).
 * If this side has the higher incarnation and knows an address of the peer, it creates the endpoint. The peer then
 * continues as if it had created the endpoint. The peer's choice of connections and its numbering are unaffected.
 * Engine thread only.
 */
public final class Redials implements ChannelHost.RailKeeper {

  /**
   * State of one lost path on the accepting side. Allowed transitions:
   *
   * <pre>
   *   WAITING --its pause is over--------------------> DIALING
   *   DIALING --failed, or the peer dials itself-----> WAITING
   *   DIALING --the path was lost again meanwhile----> WAITING
   *   DIALING --joined, or the peer refuses----------> OVER
   *   any     --path restored, or no longer wanted---> OVER
   * </pre>
   */
  public enum State {
    /** Not dialed yet, or waiting for the next dial. */
    WAITING,
    /** An endpoint is being created, or its handshake is under way. */
    DIALING,
    /** No further action is due. */
    OVER;

    public boolean canBecome(State next) {
      return switch (this) {
        case WAITING -> next == DIALING || next == OVER;
        case DIALING -> next == WAITING || next == OVER;
        case OVER -> false;
      };
    }
  }

  /**
   * Maximum number of redials. Each redial may hold an idle endpoint, even for a path that was forgotten since. The
   * peer itself reconnects any further paths.
   */
  private static final int MAX_REDIALS = PathRepository.MAX_PATHS;

  private final Connections connections;
  private final VirtualChannel channel;
  private final Map<Path, Redial> underWay = new HashMap<>();
  private BiFunction<Rail, String, String> locations = (rail, host) -> null;

  Redials(Connections connections, VirtualChannel channel) {
    this.connections = connections;
    this.channel = channel;
  }

  /** Returns the redials of a channel that its peer connected. */
  public static Redials of(VirtualChannel accepted) {
    return (Redials) accepted.railKeeper();
  }

  /** Sets the function from a rail and a host of the peer to the location where the peer listens; null if unknown. */
  public void peerListens(BiFunction<Rail, String, String> newLocations) {
    locations = newLocations;
  }

  String location(Path path) {
    return locations.apply(path.rail, path.remoteHost);
  }

  @Override
  public boolean isConnector() {
    return false;
  }

  @Override
  public void stop() {
    // Each redial checks whether the channel is closed.
  }

  @Override
  public void ended() {
    // Redials hold no memory of the session.
  }

  @Override
  public void lost(Subchannel subchannel) {
    boolean isHigher = connections.incarnation().isHigherThan(channel.peer());
    if (isHigher && !subchannel.isGivenUp() && location(subchannel.path()) != null) {
      subchannel
          .path()
          .pauses
          .lost(
              subchannel.lastedNanos(connections.nowNanos()),
              connections.config().timing().retry().maxBackoffNanos());
      Redial redial = redial(subchannel.path());
      if (redial != null) {
        redial.lost(subchannel.id);
      }
    }
  }

  /**
   * Returns the redial of the path, which the path keeps while it is lost repeatedly; null if there are too many
   * redials.
   */
  private Redial redial(Path path) {
    if (underWay.size() < MAX_REDIALS) {
      underWay.computeIfAbsent(path, Redial::new);
    }
    return underWay.get(path);
  }

  /** Creates endpoints for one lost path, one endpoint at a time. */
  final class Redial implements EndpointRegistry.Dial {

    private final Path path;
    private State state = State.WAITING;
    private Timers.Timer pause;

    // Subchannels that carried the path: the last lost subchannel, and the subchannel that the peer
    // is asked for.
    private int lostId;
    private int askedId;

    private Redial(Path path) {
      this.path = path;
    }

    /** Returns the number of the lost subchannel for which the endpoint is being created. */
    int askedId() {
      return askedId;
    }

    VirtualChannel channel() {
      return channel;
    }

    private void become(State next) {
      if (!state.canBecome(next)) {
        throw new IllegalStateException(
            "redial of " + path + ": " + state + " cannot become " + next);
      }
      state = next;
    }

    /** Handles the loss of the path's subchannel. A dial for an earlier subchannel is finished first. */
    void lost(int subchannelId) {
      lostId = subchannelId;
      if (state == State.WAITING) {
        again("lost");
      }
    }

    private void again(String reason) {
      if (pause != null) {
        pause.cancel();
      }
      EngineConfig.RetryPolicy retry = connections.config().timing().retry();
      long nanos = path.pauses.nextNanos(
          retry.minBackoffNanos(), retry.maxBackoffNanos(), connections.randomLong());
      channel.report(Kind.RETRYING, path, reason + "; again in " + nanos / 1_000_000 + " ms");
      pause = connections.timers().at(connections.nowNanos() + nanos, this::dial);
    }

    private void dial() {
      String location = isWanted() ? location(path) : null;
      if (location == null) {
        over();
        return;
      }
      become(State.DIALING);
      askedId = lostId;
      connections.handshakes(path.rail).connect(location, this);
    }

    /**
     * Returns whether the path, or a path beside it to the same host, is still lost. The peer may have reconnected
     * first or given the path up. A forgotten path is never wanted.
     */
    private boolean isWanted() {
      return !channel.isClosed() && channel.isOneLostBeside(path);
    }

    /** Ignores whether the path is restored: the peer refuses the redial then. */
    @Override
    public boolean isObsolete() {
      return channel.isClosed();
    }

    @Override
    public Handshake handshake(
        Connections handshakes,
        Rail rail,
        Endpoint endpoint,
        SessionMemory.HandshakeMemory messages) {
      return new AcceptingHandshake(handshakes, rail, endpoint, messages, this);
    }

    /** Returns the first message to the peer. The message names the session and the lost subchannel. */
    RedialRequest request() {
      Incarnation own = connections.incarnation();
      VirtualChannel.Session session = channel.session();
      return new RedialRequest(
          Versions.SUPPORTED,
          own.high(),
          own.low(),
          session.epoch(),
          askedId,
          session.peerFirstPsn());
    }

    void joined() {
      settled();
    }

    /** Handles the peer's refusal. If the peer wants the path later, it connects itself. */
    void refused() {
      settled();
    }

    /** Ends the redial unless the path was restored and lost again meanwhile. */
    private void settled() {
      if (askedId == lostId) {
        over();
      } else {
        become(State.WAITING);
        again("lost");
      }
    }

    private void over() {
      become(State.OVER);
      underWay.remove(path);
    }

    @Override
    public void failed(String reason) {
      if (state == State.DIALING && isWanted()) {
        become(State.WAITING);
        again(reason);
      } else if (state == State.DIALING) {
        over();
      }
    }

    @Override
    public void nodeLeaves(String reason) {
      // Existing sessions continue until they are closed.
    }
  }
}
