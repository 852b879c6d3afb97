package io.railflux.engine;

import io.railflux.crypto.KeySchedule.Role;
import io.railflux.fabric.Completion;
import io.railflux.fabric.Endpoint;
import io.railflux.fabric.LocalMemory;
import io.railflux.fabric.Opcode;
import io.railflux.fabric.WorkRequest;
import io.railflux.wire.ControlWords;
import io.railflux.wire.Grant;
import io.railflux.wire.Hello;
import io.railflux.wire.HelloReject;
import io.railflux.wire.MalformedFrameException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Four messages over a fresh endpoint. The HELLOs tell who both sides are and which session and subchannel
 * this is; with PROOF and JOINED they show that they may, and grant each other ring and words. Nothing is
 * exposed and no session begins before the other side has shown as much. Engine thread only.
 *
 * <pre>
 *   connector                          acceptor
 *       │ HELLO ──────────────────────────▶│
 *       │◀────────────────────────── HELLO │
 *       │ PROOF, grant ───────────────────▶│ live
 *  live │◀─────────────────── JOINED, grant│
 * </pre>
 */
abstract class Handshake {

  static final int MESSAGE_BYTES = io.railflux.wire.Handshake.MAX_BYTES;
  private static final long RECEIVE = 1;
  private static final long SEND = 2;

  final Engine engine;
  final Rail rail;
  final Endpoint endpoint;
  final Authenticator authenticator;
  final SubchannelSetup setup;
  private final Role role;
  private final LocalMemory messages;
  private Timers.Timer bound;
  private HandshakeState state = HandshakeState.AWAITING_HELLO;
  private boolean ended;
  Subchannel subchannel;
  long ownFirstPsn;

  Handshake(Engine engine, Rail rail, Endpoint endpoint, Role role) {
    this.engine = engine;
    this.rail = rail;
    this.role = role;
    this.endpoint = endpoint;
    // Received into the first half, sent from the second.
    ByteBuffer memory = ByteBuffer.allocateDirect(2 * MESSAGE_BYTES);
    this.messages = rail.fabric().register(memory.order(ByteOrder.LITTLE_ENDIAN));
    this.setup = new SubchannelSetup(engine, rail, endpoint, messages);
    this.authenticator = new Authenticator(
        engine.config(), engine.secrets(), endpoint.protection(), role, engine::randomLong);
  }

  final void begin() {
    bound = engine.timers().at(engine.nowNanos() + boundNanos(), this::late);
    receive();
    started();
  }

  /** How long it may take. */
  abstract long boundNanos();

  /** The endpoint is there and one receive is posted. */
  abstract void started();

  /** A message came, in the state that waits for one. */
  abstract void onMessage(byte[] message) throws MalformedFrameException, Refused;

  /** The peer said what does not fit, or did not show what it must. */
  abstract void refuse(HelloReject reject);

  /** Nothing came in time. */
  abstract void late();

  /** The endpoint or the peer failed before the subchannel was live. */
  abstract void failed(String reason);

  /** The endpoint ended. */
  void brokenOff(String reason) {
    failed(reason);
  }

  /** Nothing new comes to be. */
  abstract void nodeLeaves(String reason);

  final HandshakeState state() {
    return state;
  }

  final void become(HandshakeState next) {
    if (!state.canBecome(next)) {
      throw new IllegalStateException("handshake: " + state + " cannot become " + next);
    }
    state = next;
  }

  final boolean isOver() {
    return state == HandshakeState.OVER;
  }

  /** Whether the endpoint was handed over or closed. */
  final boolean hasEnded() {
    return ended;
  }

  final void over() {
    if (!isOver()) {
      become(HandshakeState.OVER);
    }
  }

  final void onCompletion(Completion completion) {
    if (isOver()) {
      return;
    }
    if (!completion.succeeded()) {
      failed("handshake failed: " + completion);
    } else if (completion.opcode() == Opcode.RECEIVE) {
      // Copied first: a peer that shares the memory could change it between check and use.
      byte[] message = new byte[completion.lengthBytes()];
      messages.memory().get(0, message);
      try {
        onMessage(message);
      } catch (MalformedFrameException e) {
        refuse(new Refused(HelloReject.MALFORMED, e.getMessage()).reject());
      } catch (Refused e) {
        refuse(e.reject());
      }
    }
  }

  /** Ready for one more message; due before this side says what that answers. */
  final void receive() {
    endpoint.postReceive(RECEIVE, messages, 0, MESSAGE_BYTES);
  }

  /** Where the next message is written, from {@link #MESSAGE_BYTES} on. */
  final ByteBuffer outgoing() {
    return messages.memory().clear().position(MESSAGE_BYTES);
  }

  /** Sends what was written up to the position. */
  final void send(ByteBuffer message) {
    int lengthBytes = message.position() - MESSAGE_BYTES;
    endpoint.post(new WorkRequest().send(messages, MESSAGE_BYTES, lengthBytes).withId(SEND));
    endpoint.notifyPeer();
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

  final void checkSizes(Grant grant, boolean further) throws MalformedFrameException {
    int ring = grant.ringBytes();
    int least = further ? SubchannelSetup.FURTHER_RING_BYTES : EngineConfig.Limits.MIN_RING_BYTES;
    boolean right =
        Integer.bitCount(ring) == 1 && ring >= least && grant.wordsBytes() == ControlWords.BYTES;
    if (!right) {
      throw new MalformedFrameException("ring of " + ring + " B is no power of two in range, or "
          + grant.wordsBytes() + " B of words are not " + ControlWords.BYTES);
    }
  }

  final VirtualChannel newChannel(Hello hello, Grant grant, byte[] key) {
    Hello.Identity identity = hello.identity();
    Incarnation peer = new Incarnation(identity.incarnationHigh(), identity.incarnationLow());
    VirtualChannel.Session session = new VirtualChannel.Session(
        peer, identity.nodeName(), ownFirstPsn, hello, grant.ringBytes(), key, role);
    boolean sealed = subchannel.sealing != null;
    return new VirtualChannel(engine, session, sealed || engine.hasPostedRail());
  }

  final void joined(VirtualChannel channel) {
    over();
    ended = true;
    stopWaiting();
    engine.handshakes(rail).joined(subchannel, channel);
    subchannel.postAnnouncementReceives();
    channel.add(subchannel);
  }

  /** The node closes. */
  final void abandon() {
    stopWaiting();
    endpoint.close();
    messages.close();
  }

  /** The endpoint goes on with another handshake. */
  final void handOver() {
    over();
    ended = true;
    stopWaiting();
    messages.close();
  }

  /** Over without a subchannel; {@code channel} fences it and tells, where it knows of it. */
  final void end(VirtualChannel channel) {
    over();
    ended = true;
    stopWaiting();
    // A channel that has ended would never release it.
    if (channel != null && subchannel != null && !channel.isClosed()) {
      channel.failSubchannel(subchannel, "handshake failed");
      return;
    }
    engine.handshakes(rail).forget(endpoint);
    if (subchannel != null) {
      subchannel.release();
    } else {
      endpoint.close();
      messages.close();
    }
  }

  /** It may end before it began to wait. */
  private void stopWaiting() {
    if (bound != null) {
      bound.cancel();
    }
  }
}
