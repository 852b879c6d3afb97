package io.railflux.engine.connect;

import io.railflux.engine.base.LongMap;
import io.railflux.engine.base.Rail;
import io.railflux.engine.base.SessionMemory;
import io.railflux.engine.path.BulkLane;
import io.railflux.engine.path.Subchannel;
import io.railflux.engine.session.VirtualChannel;
import io.railflux.fabric.Completion;
import io.railflux.fabric.Endpoint;
import io.railflux.fabric.Fabric;
import io.railflux.fabric.FabricListener;
import java.util.List;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Dispatches the endpoint events of one rail to the handshake or subchannel that they concern. Engine thread only. */
final class EndpointRegistry implements FabricListener {

  /** One attempt to create an endpoint to a peer. Engine thread only. */
  interface Dial {

    /** Returns whether the attempt is no longer wanted. A resulting endpoint is closed. */
    boolean isObsolete();

    /**
     * Returns the handshake for the new endpoint, not yet begun.
     *
     * @param messages memory of the handshake, which owns it from here on
     */
    Handshake handshake(
        Connections connections,
        Rail rail,
        Endpoint endpoint,
        SessionMemory.HandshakeMemory messages);

    void failed(String reason);

    /** Reports that the node closes. */
    void nodeLeaves(String reason);
  }

  /**
   * The user of an endpoint: a handshake, then a subchannel of a channel. On the connecting side, both exist for a
   * while.
   *
   * @param handshake null once the subchannel has joined; receives all events except the end of draining
   * @param subchannel null until the peer is authenticated, like {@code channel}
   */
  private record Use(Handshake handshake, Subchannel subchannel, VirtualChannel channel) {

    static final Use NONE = new Use(null, null, null);

    boolean hasJoined() {
      return handshake == null && subchannel != null;
    }
  }

  private static final Logger LOG = LoggerFactory.getLogger(EndpointRegistry.class);

  private final Connections connections;
  private final Rail rail;
  private final Fabric fabric;
  private final AcceptedHandshakes accepted;
  private final LongMap<Use> uses = new LongMap<>();
  private final LongMap<Dial> dials = new LongMap<>();
  private long lastAttempt;

  EndpointRegistry(Connections connections, Rail rail) {
    this.connections = connections;
    this.rail = rail;
    this.fabric = rail.fabric();
    this.accepted = new AcceptedHandshakes(connections.config().limits());
  }

  void connect(String location, Dial dial) {
    dials.put(++lastAttempt, dial);
    fabric.connect(location, lastAttempt, this);
  }

  @Override
  public void onConnected(Endpoint endpoint, long attemptId) {
    Dial dial = attemptId < 0 ? null : dials.remove(attemptId);
    try {
      if (attemptId < 0) {
        accept(endpoint);
      } else if (dial == null || dial.isObsolete()) {
        endpoint.close();
      } else {
        connected(endpoint, dial);
      }
    } catch (Throwable e) {
      cannotBegin(endpoint, dial, e);
    }
  }

  private void accept(Endpoint endpoint) {
    accepted.makeRoom();
    SessionMemory.HandshakeMemory messages = connections.sessionMemory().handshake(rail);
    while (messages == null && accepted.makeRoomForOne()) {
      messages = connections.sessionMemory().handshake(rail);
    }
    if (messages == null) {
      endpoint.close();
      connections.refusals().exhausted(endpoint, connections.sessionMemory().refusal());
      return;
    }
    AcceptingHandshake accepting =
        new AcceptingHandshake(connections, rail, endpoint, messages, null);
    begin(accepting);
    accepted.add(accepting);
  }

  private void connected(Endpoint endpoint, Dial dial) {
    SessionMemory.HandshakeMemory messages = connections.sessionMemory().handshake(rail);
    if (messages == null) {
      endpoint.close();
      dial.failed(connections.sessionMemory().refusal());
    } else {
      begin(dial.handshake(connections, rail, endpoint, messages));
    }
  }

  /** Ends an endpoint whose handshake cannot begin. No other owner would close the endpoint or continue the dial. */
  private void cannotBegin(Endpoint endpoint, Dial dial, Throwable e) {
    // Logged once for each host, as any host may connect repeatedly.
    LOG.debug("{}: no handshake can begin", endpoint.remoteDescription(), e);
    Handshake handshake = useOf(endpoint).handshake();
    String reason = "failed here: " + e;
    if (handshake != null) {
      handshake.brokenOff(reason);
      return;
    }
    endpoint.close();
    if (dial != null) {
      dial.failed(reason);
    } else {
      connections.refusals().handshake(endpoint, reason);
    }
  }

  void begin(Handshake handshake) {
    uses.put(handshake.endpoint.id(), new Use(handshake, null, null));
    handshake.begin();
  }

  private Use useOf(Endpoint endpoint) {
    Use use = uses.get(endpoint.id());
    return use == null ? Use.NONE : use;
  }

  @Override
  public void onStranger(String remoteHost, String remoteDescription, String reason) {
    connections.refusals().handshake(remoteHost, remoteDescription, reason);
  }

  @Override
  public void onShortage(String location, String reason) {
    connections.refusals().exhausted("a connection at " + location, reason);
  }

  @Override
  public void onConnectFailed(long attemptId, String reason) {
    Dial dial = dials.remove(attemptId);
    if (dial != null) {
      dial.failed(reason);
    }
  }

  @Override
  public void onCompletion(Endpoint endpoint, Completion completion) {
    try {
      completed(endpoint, completion);
    } catch (Throwable e) {
      broken(endpoint, e);
    }
  }

  /** Handles a fault of this node, as the fabric would close the endpoint while its memory is still in use. */
  private void broken(Endpoint endpoint, Throwable e) {
    LOG.error(
        "{}: unexpected failure; its handshake or session ends", endpoint.remoteDescription(), e);
    Use use = useOf(endpoint);
    if (use.handshake() != null) {
      // The other subchannels of the session continue.
      use.handshake().brokenOff("failed here: " + e);
    } else if (use.hasJoined()) {
      use.channel().fault(e);
    }
  }

  private void completed(Endpoint endpoint, Completion completion) {
    Use use = useOf(endpoint);
    if (use.hasJoined()) {
      onCompletion(use, completion);
    } else if (use.handshake() != null) {
      use.handshake().onCompletion(completion);
    }
  }

  /** The completion filter (FT1): a completion that is reported twice, even much later, counts once. */
  private void onCompletion(Use use, Completion completion) {
    Subchannel subchannel = use.subchannel();
    if (!completion.succeeded()) {
      use.channel().failSubchannel(subchannel, "request failed: " + completion);
      return;
    }
    switch (completion.opcode()) {
      case RECEIVE_IMMEDIATE -> subchannel.received(completion.id(), completion.immediate());
      case SEND, RECEIVE -> {
        // Completion of the ended handshake.
      }
      default -> {
        subchannel.progressed(connections.nowNanos());
        if (BulkLane.isBulk(completion.id())) {
          subchannel.lane().completed(completion.id());
        } else {
          subchannel.writer().completed(completion.id());
        }
      }
    }
  }

  @Override
  public void onCorrupted(Endpoint endpoint) {
    Use use = useOf(endpoint);
    connections
        .refusals()
        .corrupted(
            endpoint,
            use.hasJoined()
                ? use.subchannel() + " of " + use.channel().description()
                : "a handshake with " + endpoint.remoteDescription());
  }

  @Override
  public void onError(Endpoint endpoint, String reason) {
    try {
      failed(endpoint, reason);
    } catch (Throwable e) {
      broken(endpoint, e);
    }
  }

  private void failed(Endpoint endpoint, String reason) {
    Use use = useOf(endpoint);
    if (use.hasJoined()) {
      use.channel().failSubchannel(use.subchannel(), reason);
    } else if (use.handshake() != null) {
      use.handshake().brokenOff(reason);
    }
  }

  @Override
  public void onDrained(Endpoint endpoint) {
    try {
      drained(endpoint);
    } catch (Throwable e) {
      broken(endpoint, e);
    }
  }

  private void drained(Endpoint endpoint) {
    Use use = useOf(endpoint);
    if (use.subchannel() != null) {
      use.channel().drained(use.subchannel());
    }
  }

  /** Directs events of the endpoint to the subchannel from here on. */
  void joined(Subchannel subchannel, VirtualChannel channel) {
    uses.put(subchannel.endpoint.id(), new Use(null, subchannel, channel));
  }

  /** Keeps directing events to the handshake, except that the channel is notified when the endpoint is drained. */
  void joinedEarly(Subchannel subchannel, VirtualChannel channel, Handshake handshake) {
    uses.put(subchannel.endpoint.id(), new Use(handshake, subchannel, channel));
  }

  void forget(Endpoint endpoint) {
    uses.remove(endpoint.id());
    accepted.forgetEnded();
  }

  /** Fails pending first contacts with {@code reason}. The registry creates nothing new. */
  void nodeLeaves(String reason) {
    dials.values().forEach(dial -> dial.nodeLeaves(reason));
    handshakes().forEach(handshake -> handshake.nodeLeaves(reason));
  }

  void close() {
    handshakes().forEach(Handshake::abandon);
  }

  private List<Handshake> handshakes() {
    return uses.values().stream().map(Use::handshake).filter(Objects::nonNull).toList();
  }
}
