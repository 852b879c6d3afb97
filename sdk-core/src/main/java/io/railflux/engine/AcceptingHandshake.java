package io.railflux.engine;

import io.railflux.crypto.KeySchedule.Role;
import io.railflux.exceptions.FabricUnavailableException;
import io.railflux.fabric.Endpoint;
import io.railflux.fabric.RemoteAccessException;
import io.railflux.wire.Authentication;
import io.railflux.wire.Grant;
import io.railflux.wire.Hello;
import io.railflux.wire.HelloReject;
import io.railflux.wire.MalformedFrameException;
import io.railflux.wire.Proof;
import io.railflux.wire.RedialRequest;
import java.nio.ByteBuffer;

/** The side that was connected to. Engine thread only. */
final class AcceptingHandshake extends Handshake {

  private final Redial redial;
  private Hello greeting;
  private VirtualChannel known;
  private boolean brokenOff;
  private String refusal;

  /** @param redial why this side made the endpoint; null: the peer did */
  AcceptingHandshake(Engine engine, Rail rail, Endpoint endpoint, Redial redial) {
    super(engine, rail, endpoint, Role.ACCEPTOR);
    this.redial = redial;
  }

  /**
   * Whoever knocks holds memory and a place until then. He may be one of hundreds that get no processor, so he has as
   * long as he waits himself; who is asked back is expected at once.
   */
  @Override
  long boundNanos() {
    long nanos = engine.config().timing().handshakeNanos();
    return redial == null ? 2 * nanos : nanos;
  }

  @Override
  void started() {
    // The peer speaks first, unless it does not know why there is an endpoint.
    if (redial != null) {
      ByteBuffer message = outgoing();
      redial.request().encode(message);
      send(message);
    }
  }

  @Override
  void onMessage(byte[] message) throws MalformedFrameException, Refused {
    ByteBuffer source = ByteBuffer.wrap(message);
    int type = io.railflux.wire.Handshake.messageType(source);
    if (type == io.railflux.wire.Handshake.HELLO_REJECT) {
      String refusal = "refused by the peer: " + HelloReject.decode(source).text();
      if (redial != null) {
        redial.refused();
      }
      failed(refusal);
    } else if (redial == null
        && type == io.railflux.wire.Handshake.REDIAL_REQUEST
        && state() == HandshakeState.AWAITING_HELLO) {
      redialed(RedialRequest.decode(source));
    } else if (state() == HandshakeState.AWAITING_HELLO) {
      greeted(Hello.decode(source), message);
    } else {
      shown(Proof.decode(source, io.railflux.wire.Handshake.PROOF));
    }
  }

  /** Who was connected to made the endpoint: this side goes on as if it had. */
  private void redialed(RedialRequest request) throws Refused {
    Reconnect connecting = engine.acceptor().asked(request);
    if (!connecting.lastWas(rail, request.subchannel())) {
      // Not to be counted: the peer may not know yet.
      sendReject(new Refused(HelloReject.MALFORMED, "that connection is not lost").reject());
      over();
      return;
    }
    Reconnect.Attempt attempt = connecting.redialed(rail, request.subchannel());
    if (attempt == null) {
      end(null);
      return;
    }
    Handshake next = attempt.handshake(engine, rail, endpoint);
    handOver();
    engine.handshakes(rail).begin(next);
  }

  private void greeted(Hello hello, byte[] message) throws MalformedFrameException, Refused {
    checkWindow(hello);
    engine.acceptor().checkVersion(hello);
    Authentication authentication = authenticator.answer(hello, message, engine.greetings());
    Hello.Identity identity = hello.identity();
    Incarnation peer = new Incarnation(identity.incarnationHigh(), identity.incarnationLow());
    if (authentication.method() != Authentication.NONE && peer.equals(engine.incarnation())) {
      throw new Refused(HelloReject.MALFORMED, "a HELLO of this very node");
    }
    known = engine.acceptor().session(hello);
    if (redial != null && known != redial.channel()) {
      throw new Refused(HelloReject.MALFORMED, "a HELLO of another session than was asked for");
    }
    ownFirstPsn = known == null ? engine.origins().firstPsn() : known.session().ownFirstPsn();
    greeting = hello;
    become(HandshakeState.AWAITING_PROOF);
    receive();
    Hello answer = engine.hello(
        peer,
        new Hello.Attempt(hello.attempt().epoch(), hello.attempt().subchannel(), ownFirstPsn),
        hello.features() & Hello.FURTHER_PATH,
        authentication);
    ByteBuffer target = outgoing();
    answer.encode(target);
    authenticator.prove(target, MESSAGE_BYTES, target.position(), hello, message);
    send(target);
  }

  /** The peer may come in, if there is room for what it wants to be. */
  private void shown(Proof proof) throws MalformedFrameException, Refused {
    Grant grant = authenticator.check(proof);
    checkSizes(grant, greeting.isFurtherPath());
    engine.acceptor().check(greeting);
    VirtualChannel channel = engine.acceptor().session(greeting);
    if (channel == null && greeting.isFurtherPath()) {
      throw new MalformedFrameException("a further path of no session");
    }
    byte[] session = channel == null ? null : channel.session().key();
    authenticator.checkSession(grant, session);
    try {
      join(channel, grant, session);
    } catch (FabricUnavailableException | IllegalStateException | RemoteAccessException e) {
      failed(e.getMessage());
    }
  }

  /** @param joined null: a session begins */
  private void join(VirtualChannel joined, Grant grant, byte[] session)
      throws RemoteAccessException, Refused {
    byte[] key = joined == null ? authenticator.newSession() : session;
    Sealing sealing = authenticator.sealing(key);
    String objection = setup.objection(sealing, grant);
    if (objection != null) {
      throw new Refused(HelloReject.SEALING, objection);
    }
    subchannel = setup.expose(greeting.attempt().subchannel(), greeting.isFurtherPath(), sealing);
    VirtualChannel channel = joined == null ? newChannel(greeting, grant, key) : joined;
    if (redial != null) {
      subchannel.replaces = redial.askedId();
    }
    setup.attach(subchannel, channel, grant);
    sendProof(session);
    joined(channel);
    if (redial != null) {
      redial.joined();
    }
    if (joined == null) {
      engine.acceptor().established(greeting, channel);
    }
  }

  /**
   * Says why and leaves; the peer closes the endpoint, or the time bound does. Where this side made it, it makes no other
   * one before: a peer that answers wrongly on and on would have it hold many.
   */
  @Override
  void refuse(HelloReject reject) {
    refusal = reject.text();
    if (redial == null) {
      tell(refusal);
    }
    sendReject(reject);
    over();
  }

  @Override
  void late() {
    failed("it did not finish its handshake in time");
  }

  /** Others want in, and this one makes room. */
  void crowdedOut() {
    failed("too many handshakes at once");
  }

  @Override
  void failed(String reason) {
    if (subchannel != null && subchannel.state() != SubchannelState.HANDSHAKING) {
      return;
    }
    if (!isOver()) {
      tell(reason);
    } else if (redial != null) {
      redial.failed(refusal);
    }
    // At once: whoever was not let in keeps nothing waiting for his last word.
    endpoint.fence(reason);
    end(null);
  }

  @Override
  void brokenOff(String reason) {
    brokenOff = true;
    failed(reason);
  }

  /** A peer that is there may have changed its mind: another of its tries was faster. */
  private void tell(String reason) {
    if (redial != null) {
      redial.failed(reason);
    } else if (!brokenOff || known == null) {
      engine.refusals().handshake(endpoint, reason);
    }
  }

  @Override
  void nodeLeaves(String reason) {
    // Nobody here waits for it.
  }
}
