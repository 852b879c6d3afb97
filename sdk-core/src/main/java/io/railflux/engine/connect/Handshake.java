package io.railflux.engine.connect;

import io.railflux.crypto.KeySchedule.Role;
import io.railflux.engine.base.EngineConfig;
import io.railflux.engine.base.Incarnation;
import io.railflux.engine.base.Rail;
import io.railflux.engine.base.SessionMemory;
import io.railflux.engine.base.Timers;
import io.railflux.engine.path.Subchannel;
import io.railflux.engine.path.SubchannelMemory;
import io.railflux.engine.seal.Sealing;
import io.railflux.engine.session.VirtualChannel;
import io.railflux.fabric.Completion;
import io.railflux.fabric.Endpoint;
import io.railflux.fabric.EndpointState;
import io.railflux.fabric.Opcode;
import io.railflux.fabric.RemoteAccessException;
import io.railflux.fabric.WorkRequest;
import io.railflux.policy.ChannelKind;
import io.railflux.wire.MalformedFrameException;
import io.railflux.wire.handshake.Authentication;
import io.railflux.wire.handshake.Grant;
import io.railflux.wire.handshake.HandshakeHeader;
import io.railflux.wire.handshake.Hello;
import io.railflux.wire.handshake.HelloReject;
import io.railflux.wire.handshake.Versions;
import java.nio.ByteBuffer;

/**
 * Exchanges four messages over a new endpoint. The HELLOs name both sides, the session and the subchannel. PROOF and
 * JOINED authenticate the sides, which then grant each other ring and words. Engine thread only.
 *
 * <pre>
 *   connector                          acceptor
 *       │ HELLO ──────────────────────────▶│
 *       │◀────────────────────────── HELLO │
 *       │ PROOF, grant ───────────────────▶│ live
 *  live │◀─────────────────── JOINED, grant│
 * </pre>
 */
public abstract class Handshake {

  /**
   * State of a handshake. The connecting side goes from {@link #AWAITING_HELLO} to {@link #AWAITING_JOINED}, the
   * accepting side to {@link #AWAITING_PROOF}. {@link #OVER} may follow any state.
   */
  public enum State {
    AWAITING_HELLO,
    AWAITING_PROOF,
    /** The handshake over another address is ahead and ends first. */
    AWAITING_TURN,
    AWAITING_JOINED,
    /** The peer is authenticated; memory for the subchannel is being allocated. */
    AWAITING_MEMORY,
    /** The subchannel is live, or the handshake failed. */
    OVER;

    public boolean canBecome(State next) {
      return switch (this) {
        case AWAITING_HELLO -> next != AWAITING_HELLO;
        case AWAITING_TURN, AWAITING_MEMORY -> next == AWAITING_JOINED || next == OVER;
        case AWAITING_PROOF -> next == AWAITING_MEMORY || next == OVER;
        case AWAITING_JOINED -> next == OVER;
        case OVER -> false;
      };
    }
  }

  public static final int MESSAGE_BYTES = HandshakeHeader.MAX_BYTES;
  private static final long RECEIVE = 1;
  private static final long SEND = 2;

  final Connections connections;
  final Rail rail;
  final Endpoint endpoint;
  final Authenticator authenticator;
  final SubchannelSetup setup;
  private final Role role;
  private final SessionMemory.HandshakeMemory messages;
  private Timers.Timer bound;
  private State state = State.AWAITING_HELLO;
  private boolean ended;
  private SubchannelSetup.Reservation reservation;
  Subchannel subchannel;
  long ownFirstPsn;

  Handshake(
      Connections connections,
      Rail rail,
      Endpoint endpoint,
      SessionMemory.HandshakeMemory messages,
      Role role) {
    this.connections = connections;
    this.rail = rail;
    this.role = role;
    this.endpoint = endpoint;
    this.messages = messages;
    this.setup = new SubchannelSetup(connections.context(), rail, endpoint, messages);
    this.authenticator = new Authenticator(
        connections.config(),
        connections.secrets(),
        endpoint.protection(),
        role,
        connections::randomLong);
  }

  final void begin() {
    bound = connections.timers().at(connections.nowNanos() + boundNanos(), this::late);
    receive();
    started();
  }

  /** Returns the time bound of the handshake, in nanoseconds. */
  abstract long boundNanos();

  /** Begins the handshake: the endpoint is ready and one receive is posted. */
  abstract void started();

  /** Handles a message. Called only in a state that awaits a message. */
  abstract void onMessage(byte[] message) throws MalformedFrameException, Refusals.Refused;

  /** Continues {@link #onMessage} after it waited for memory. The endpoint is ready. */
  abstract void memoryReserved() throws MalformedFrameException, Refusals.Refused;

  /** Handles the lack of memory for the subchannel. */
  abstract void exhausted(String reason);

  /** Refuses the peer because of an invalid message or a missing proof. */
  abstract void refuse(HelloReject reject);

  /** Handles the expiry of the time bound. */
  abstract void late();

  /** Handles a failure of the endpoint or the peer before the subchannel is live. */
  abstract void failed(String reason);

  /** Handles the end of the endpoint or the loss of a sent message. */
  void brokenOff(String reason) {
    failed(reason);
  }

  /** Handles the end of the node: nothing new is established. */
  abstract void nodeLeaves(String reason);

  final State state() {
    return state;
  }

  final void become(State next) {
    if (!state.canBecome(next)) {
      throw new IllegalStateException("handshake: " + state + " cannot become " + next);
    }
    state = next;
  }

  public final boolean isOver() {
    return state == State.OVER;
  }

  /** Returns whether the endpoint was handed over or closed. */
  public final boolean hasEnded() {
    return ended;
  }

  final void over() {
    if (!isOver()) {
      become(State.OVER);
    }
  }

  final void onCompletion(Completion completion) {
    if (isOver()) {
      return;
    }
    if (!completion.succeeded()) {
      brokenOff("handshake failed: " + completion);
    } else if (completion.opcode() == Opcode.RECEIVE) {
      // Copied first: a peer that shares the memory could change it between check and use.
      byte[] message = new byte[completion.lengthBytes()];
      messages.registered().memory().get(0, message);
      step(() -> onMessage(message));
    }
  }

  private interface Step {
    void run() throws MalformedFrameException, Refusals.Refused;
  }

  private void step(Step step) {
    try {
      step.run();
    } catch (MalformedFrameException e) {
      refuse(new Refusals.Refused(HelloReject.MALFORMED, e.getMessage()).reject());
    } catch (Refusals.Refused e) {
      refuse(e.reject());
    }
  }

  /**
   * Reserves memory for the subchannel: spare memory of a lost subchannel of the session, or new memory.
   *
   * @param joined the session to join; null for a new session
   * @return whether the memory is reserved; otherwise {@link #memoryReserved} or {@link #exhausted} follows
   */
  final boolean reserve(VirtualChannel joined, SubchannelSetup.Reservation.Needs needs) {
    if (reservation != null) {
      return true;
    }
    SubchannelMemory spare = joined == null ? null : joined.spareMemory(needs.layout());
    if (spare != null) {
      reservation = new SubchannelSetup.Reservation(spare, null, null);
      return true;
    }
    ByteBuffer[] buffers = connections.sessionMemory().tryTake(needs.sizes());
    if (buffers != null) {
      reservation = needs.of(buffers);
      return true;
    }
    if (state == State.AWAITING_TURN) {
      // The reservation has waited once already, for another address.
      exhausted(connections.sessionMemory().refusalNow());
      return false;
    }
    become(State.AWAITING_MEMORY);
    connections.sessionMemory().take(needs.sizes(), later -> {
      // An endpoint that failed meanwhile reports the failure itself.
      if (!isOver() && endpoint.state() == EndpointState.READY) {
        reserved(needs, later);
      }
    });
    return false;
  }

  private void reserved(SubchannelSetup.Reservation.Needs needs, ByteBuffer[] buffers) {
    if (buffers == null) {
      exhausted(connections.sessionMemory().refusal());
    } else {
      reservation = needs.of(buffers);
      step(this::memoryReserved);
    }
  }

  /**
   * Exposes the reserved memory.
   *
   * @param joined the session to join; null for a new session
   */
  final void expose(
      int id, boolean further, ChannelKind kind, Sealing sealing, VirtualChannel joined) {
    SubchannelMemory own = reservation.own();
    if (joined != null && own != null && !further) {
      joined.adopt(own);
    }
    subchannel = setup.expose(id, further, kind, sealing, own);
  }

  /** Attaches the subchannel to the peer's grant. {@code fresh}: the session is new. */
  final void attach(VirtualChannel channel, Grant grant, boolean fresh)
      throws RemoteAccessException {
    if (reservation.log() != null) {
      channel.reserveLog(reservation.log());
    }
    setup.attach(subchannel, channel, grant);
    if (fresh) {
      if (subchannel.memory.own() != null) {
        channel.adopt(subchannel.memory.own());
      }
      connections.sessionMemory().sessionBegins(reservation.handshake());
    }
  }

  /** Posts the receive for the next message. Precedes the send of the message that the next message answers. */
  final void receive() {
    endpoint.postReceive(RECEIVE, messages.registered(), 0, MESSAGE_BYTES);
  }

  /** Returns the buffer for the next message, positioned at {@link #MESSAGE_BYTES}. */
  final ByteBuffer outgoing() {
    return messages.registered().memory().clear().position(MESSAGE_BYTES);
  }

  /** Sends the message up to the buffer's position. */
  final void send(ByteBuffer message) {
    int lengthBytes = message.position() - MESSAGE_BYTES;
    endpoint.post(new WorkRequest()
        .send(messages.registered(), MESSAGE_BYTES, lengthBytes)
        .withId(SEND));
    endpoint.notifyPeer();
  }

  final Hello hello(
      Incarnation expected, Hello.Attempt attempt, long features, Authentication authentication) {
    EngineConfig.Limits limits = connections.config().limits();
    Incarnation own = connections.incarnation();
    return new Hello(
        Versions.SUPPORTED,
        features,
        new Hello.Identity(
            own.high(), own.low(), expected.high(), expected.low(), connections.nodeName()),
        attempt,
        new Hello.Limits(
            limits.reorderWindow(),
            limits.maxMessageBytes(),
            limits.maxStreams(),
            limits.maxExchanges()),
        authentication,
        null);
  }

  final void sendReject(HelloReject reject) {
    ByteBuffer message = outgoing();
    reject.encode(message);
    authenticator.proveReject(message, MESSAGE_BYTES, message.position());
    send(message);
  }

  final void sendProof(byte[] session) {
    ByteBuffer message = outgoing();
    authenticator.show(setup.grant(subchannel), session).encode(message);
    send(message);
  }

  static void checkWindow(Hello hello) throws MalformedFrameException {
    int window = hello.limits().reorderWindow();
    if (Integer.bitCount(window) != 1 || window < EngineConfig.Limits.MIN_REORDER_WINDOW) {
      throw new MalformedFrameException("window of " + window + " is no power of two in range");
    }
  }

  /** Returns the kind of the first ring for a peer. A peer that does not replace rings gets the largest. */
  final ChannelKind firstKind(Hello ofPeer) {
    return ofPeer.changesRings() ? connections.firstKind() : ChannelKind.DEDICATED_RING;
  }

  /** Returns the features of this side's HELLO in addition to those of the attempt. */
  final long ownFeatures() {
    return Hello.ringsChange(connections.largestRingBytes());
  }

  final VirtualChannel newChannel(Hello hello, Grant grant, byte[] key) {
    Hello.Identity identity = hello.identity();
    Incarnation peer = new Incarnation(identity.incarnationHigh(), identity.incarnationLow());
    VirtualChannel.Session session = new VirtualChannel.Session(
        peer, identity.nodeName(), ownFirstPsn, hello, grant.ringBytes(), key, role);
    return connections.newChannel(
        session, subchannel.sealing != null || connections.hasPostedRail());
  }

  final void joined(VirtualChannel channel) {
    conclude();
    connections.handshakes(rail).joined(subchannel, channel);
    subchannel.postAnnouncementReceives();
    channel.add(subchannel);
  }

  /** Abandons the handshake because the node closes. */
  final void abandon() {
    conclude();
    endpoint.close();
    messages.close();
  }

  /** Hands the endpoint over to another handshake. */
  final void handOver() {
    conclude();
    messages.close();
  }

  /** Ends the handshake without a subchannel. The {@code channel} fences and reports the subchannel if it knows it. */
  final void end(VirtualChannel channel) {
    conclude();
    // A closed channel would never release the subchannel.
    if (channel != null && subchannel != null && !channel.isClosed()) {
      channel.failSubchannel(subchannel, "handshake failed");
      return;
    }
    connections.handshakes(rail).forget(endpoint);
    if (subchannel != null) {
      subchannel.release();
    } else {
      endpoint.close();
      messages.close();
      if (reservation != null) {
        reservation.release();
      }
    }
  }

  private void conclude() {
    over();
    ended = true;
    // A handshake may end before its time-out begins.
    if (bound != null) {
      bound.cancel();
    }
  }
}
