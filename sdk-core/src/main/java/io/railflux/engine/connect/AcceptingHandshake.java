package io.railflux.engine.connect;

import io.railflux.crypto.KeySchedule.Role;
import io.railflux.engine.base.Incarnation;
import io.railflux.engine.base.Rail;
import io.railflux.engine.base.SessionMemory;
import io.railflux.engine.path.Subchannel;
import io.railflux.engine.seal.Sealing;
import io.railflux.engine.session.VirtualChannel;
import io.railflux.exceptions.FabricUnavailableException;
import io.railflux.fabric.Endpoint;
import io.railflux.fabric.RemoteAccessException;
import io.railflux.policy.ChannelKind;
import io.railflux.wire.MalformedFrameException;
import io.railflux.wire.handshake.Authentication;
import io.railflux.wire.handshake.Grant;
import io.railflux.wire.handshake.HandshakeHeader;
import io.railflux.wire.handshake.Hello;
import io.railflux.wire.handshake.HelloReject;
import io.railflux.wire.handshake.Proof;
import io.railflux.wire.handshake.RedialRequest;
import java.nio.ByteBuffer;

/** The accepting side of a handshake. Engine thread only. */
final class AcceptingHandshake extends Handshake implements AcceptedHandshakes.Stranger {

  private final Redials.Redial redial;
  private Hello greeting;
  private Grant grant;
  private VirtualChannel known;
  private boolean brokenOff;
  private String refusal;

  /** @param redial the reason why this side created the endpoint; null if the peer created it */
  AcceptingHandshake(
      Connections connections,
      Rail rail,
      Endpoint endpoint,
      SessionMemory.HandshakeMemory messages,
      Redials.Redial redial) {
    super(connections, rail, endpoint, messages, Role.ACCEPTOR);
    this.redial = redial;
  }

  /**
   * An unauthenticated peer occupies memory and a place until this bound. A connecting peer gets as long as it waits
   * itself, as it may compete with hundreds for a processor. An answer to a redial is due immediately.
   */
  @Override
  long boundNanos() {
    long nanos = connections.config().timing().handshakeNanos();
    return redial == null ? 2 * nanos : nanos;
  }

  @Override
  void started() {
    // The peer sends first, except on a redial: only this side knows the purpose of the endpoint.
    if (redial != null) {
      ByteBuffer message = outgoing();
      redial.request().encode(message);
      send(message);
    }
  }

  @Override
  void onMessage(byte[] message) throws MalformedFrameException, Refusals.Refused {
    ByteBuffer source = ByteBuffer.wrap(message);
    int type = HandshakeHeader.messageType(source);
    if (type == HandshakeHeader.HELLO_REJECT) {
      String refusal = "refused by the peer: " + HelloReject.decode(source).text();
      if (redial != null) {
        redial.refused();
      }
      failed(refusal);
    } else if (redial == null
        && type == HandshakeHeader.REDIAL_REQUEST
        && state() == Handshake.State.AWAITING_HELLO) {
      redialed(RedialRequest.decode(source));
    } else if (state() == Handshake.State.AWAITING_HELLO) {
      greeted(Hello.decode(source), message);
    } else {
      shown(Proof.decode(source, HandshakeHeader.PROOF));
    }
  }

  /** Continues as the connecting side, on an endpoint that the accepting side created. */
  private void redialed(RedialRequest request) throws Refusals.Refused {
    Reconnect connecting = connections.acceptor().asked(request);
    if (!connecting.lastWas(rail, request.subchannel())) {
      // Not counted as a refusal: the peer may not know yet.
      sendReject(
          new Refusals.Refused(HelloReject.MALFORMED, "that connection is not lost").reject());
      over();
      return;
    }
    Reconnect.Attempt attempt = connecting.redialed(rail, request.subchannel());
    if (attempt == null) {
      end(null);
      return;
    }
    SessionMemory.HandshakeMemory messages = connections.sessionMemory().handshake(rail);
    if (messages == null) {
      attempt.failed(connections.sessionMemory().refusal());
      end(null);
      return;
    }
    Handshake next = attempt.handshake(connections, rail, endpoint, messages);
    handOver();
    connections.handshakes(rail).begin(next);
  }

  private void greeted(Hello hello, byte[] message)
      throws MalformedFrameException, Refusals.Refused {
    checkWindow(hello);
    connections.acceptor().checkVersion(hello);
    Authentication authentication = authenticator.answer(hello, message, connections.greetings());
    Hello.Identity identity = hello.identity();
    Incarnation peer = new Incarnation(identity.incarnationHigh(), identity.incarnationLow());
    if (authentication.method() != Authentication.NONE && peer.equals(connections.incarnation())) {
      throw new Refusals.Refused(
          HelloReject.MALFORMED, "the connecting node and the accepting node are the same node");
    }
    if (connections.acceptor().hasOtherAttempt(hello)) {
      // Not counted as a refusal: the peer connected to several addresses, and another address was
      // faster.
      sendReject(
          new Refusals.Refused(HelloReject.MALFORMED, "the session exists already").reject());
      over();
      return;
    }
    known = connections.acceptor().session(hello);
    if (redial != null && known != redial.channel()) {
      throw new Refusals.Refused(
          HelloReject.MALFORMED, "a HELLO of another session than the requested one");
    }
    greeting = hello;
    answer(hello, message, peer, authentication);
  }

  private void answer(Hello hello, byte[] message, Incarnation peer, Authentication authentication)
      throws Refusals.Refused {
    ownFirstPsn =
        known == null ? connections.origins().firstPsn() : known.session().ownFirstPsn();
    become(Handshake.State.AWAITING_PROOF);
    receive();
    Hello answer = hello(
        peer,
        new Hello.Attempt(hello.attempt().epoch(), hello.attempt().subchannel(), ownFirstPsn),
        (hello.features() & Hello.FURTHER_PATH) | ownFeatures(),
        authentication);
    ByteBuffer target = outgoing();
    answer.encode(target);
    authenticator.prove(target, MESSAGE_BYTES, target.position(), hello, message);
    send(target);
  }

  /** Admits the authenticated peer if resources suffice for its request. */
  private void shown(Proof proof) throws MalformedFrameException, Refusals.Refused {
    grant = authenticator.check(proof);
    SubchannelSetup.checkSizes(grant, greeting, greeting.isFurtherPath());
    memoryReserved();
  }

  @Override
  void memoryReserved() throws MalformedFrameException, Refusals.Refused {
    connections.acceptor().check(greeting);
    VirtualChannel channel = connections.acceptor().session(greeting);
    if (channel == null && endpoint.shortage() != null) {
      exhausted("node '" + connections.nodeName() + "' has no file descriptor for another peer: "
          + endpoint.shortage());
      return;
    }
    if (channel == null && greeting.isFurtherPath()) {
      throw new MalformedFrameException("a further path without a session");
    }
    byte[] session = channel == null ? null : channel.session().key();
    authenticator.checkSession(grant, session);
    try {
      join(channel, session);
    } catch (FabricUnavailableException e) {
      // Shared memory or file descriptors may be exhausted. The refusal names the missing resource.
      exhausted(
          "node '" + connections.nodeName() + "' cannot accept another peer: " + e.getMessage());
    } catch (IllegalStateException | RemoteAccessException e) {
      failed(e.getMessage());
    }
  }

  /** @param joined the session to join; null for a new session */
  private void join(VirtualChannel joined, byte[] session)
      throws RemoteAccessException, Refusals.Refused {
    byte[] key = joined == null ? authenticator.newSession() : session;
    Sealing sealing = authenticator.sealing(key);
    String objection = setup.objection(sealing, greeting.largestRingBytes(grant.ringBytes()));
    if (objection != null) {
      throw new Refusals.Refused(HelloReject.SEALING, objection);
    }
    boolean further = greeting.isFurtherPath();
    ChannelKind kind = firstKind(greeting);
    int stagedBytes = sealing == null ? 0 : grant.ringBytes();
    if (!reserve(joined, setup.needs(joined, further, kind, stagedBytes))) {
      return;
    }
    expose(greeting.attempt().subchannel(), further, kind, sealing, joined);
    VirtualChannel channel = joined == null ? acceptedChannel(key) : joined;
    if (redial != null) {
      subchannel.replace(redial.askedId());
    }
    attach(channel, grant, joined == null);
    sendProof(session);
    joined(channel);
    if (redial != null) {
      redial.joined();
    }
    if (joined == null) {
      connections.acceptor().established(greeting, channel);
    }
  }

  private VirtualChannel acceptedChannel(byte[] key) {
    VirtualChannel channel = newChannel(greeting, grant, key);
    channel.keepRails(new Redials(connections, channel));
    return channel;
  }

  @Override
  void exhausted(String reason) {
    connections.refusals().exhausted(endpoint, reason);
    sendReject(new Refusals.Refused(HelloReject.EXHAUSTED, reason).reject());
    refusal = reason;
    over();
  }

  /**
   * Sends the reason and ends the handshake. The peer or the time bound closes the endpoint. A redial remains pending
   * until then, so a peer with invalid answers cannot accumulate endpoints.
   */
  @Override
  void refuse(HelloReject reject) {
    refusal = reject.text();
    if (redial == null && reject.reason() == HelloReject.UNKNOWN_SESSION) {
      connections.refusals().unknownSession(endpoint, refusal);
    } else if (redial == null) {
      reportRefusal(refusal);
    }
    sendReject(reject);
    over();
  }

  @Override
  void late() {
    failed("it did not finish its handshake in time");
  }

  @Override
  public String remoteHost() {
    return endpoint.remoteHost();
  }

  @Override
  public void evicted() {
    failed("too many handshakes at once");
  }

  @Override
  void failed(String reason) {
    if (subchannel != null && subchannel.state() != Subchannel.State.HANDSHAKING) {
      return;
    }
    if (!isOver()) {
      reportRefusal(reason);
    } else if (redial != null) {
      redial.failed(refusal);
    }
    // Fences immediately: the farewell of a refused peer delays nothing.
    endpoint.fence(reason);
    end(null);
  }

  @Override
  void brokenOff(String reason) {
    brokenOff = true;
    failed(reason);
  }

  private void reportRefusal(String reason) {
    if (redial != null) {
      redial.failed(reason);
    } else if (!brokenOff || !isConnectedElsewhere()) {
      connections.refusals().handshake(endpoint, reason);
    }
  }

  /**
   * Returns whether the peer has a session. Such a peer may leave a handshake when another address or attempt was
   * faster.
   */
  private boolean isConnectedElsewhere() {
    return known != null || (greeting != null && connections.acceptor().hasSession(greeting));
  }

  @Override
  void nodeLeaves(String reason) {
    // No caller on this side awaits the handshake.
  }
}
