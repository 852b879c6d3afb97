package io.railflux.engine;

import io.railflux.crypto.KeySchedule.Role;
import io.railflux.exceptions.FabricUnavailableException;
import io.railflux.fabric.Endpoint;
import io.railflux.fabric.RemoteAccessException;
import io.railflux.wire.Grant;
import io.railflux.wire.Hello;
import io.railflux.wire.HelloReject;
import io.railflux.wire.MalformedFrameException;
import io.railflux.wire.Proof;
import java.nio.ByteBuffer;

/** The side that connects, for one attempt at one rail. Engine thread only. */
final class ConnectingHandshake extends Handshake {

  private final Reconnect.Attempt attempt;
  private Hello answer;

  ConnectingHandshake(Engine engine, Rail rail, Endpoint endpoint, Reconnect.Attempt attempt) {
    super(engine, rail, endpoint, Role.CONNECTOR);
    this.attempt = attempt;
  }

  /** As long as the other side gives to who knocks: it may have hundreds to answer at once. */
  @Override
  long boundNanos() {
    return 2 * engine.config().timing().handshakeNanos();
  }

  @Override
  void started() {
    VirtualChannel channel = attempt.channel();
    ownFirstPsn =
        channel == null ? engine.origins().firstPsn() : channel.session().ownFirstPsn();
    try {
      Hello hello = engine.hello(
          attempt.expectedPeer(),
          new Hello.Attempt(attempt.session(), attempt.subchannelId(), ownFirstPsn),
          attempt.isFurther() ? Hello.FURTHER_PATH : 0,
          authenticator.offer());
      ByteBuffer message = outgoing();
      hello.encode(message);
      authenticator.prove(message, MESSAGE_BYTES, message.position());
      send(message);
    } catch (Refused e) {
      failed(e.getMessage());
    }
  }

  @Override
  void onMessage(byte[] message) throws MalformedFrameException, Refused {
    ByteBuffer source = ByteBuffer.wrap(message);
    if (io.railflux.wire.Handshake.messageType(source) == io.railflux.wire.Handshake.HELLO_REJECT) {
      rejected(HelloReject.decode(source), message);
    } else if (state() == HandshakeState.AWAITING_HELLO) {
      answered(Hello.decode(source), message);
    } else {
      admitted(Proof.decode(source, io.railflux.wire.Handshake.JOINED));
    }
  }

  private void answered(Hello hello, byte[] message) throws MalformedFrameException, Refused {
    checkWindow(hello);
    Hello.Identity identity = hello.identity();
    Incarnation expected = new Incarnation(identity.expectedHigh(), identity.expectedLow());
    if (!expected.equals(engine.incarnation())
        || hello.attempt().subchannel() != attempt.subchannelId()) {
      throw new MalformedFrameException("HELLO answers somebody else");
    }
    authenticator.answered(hello, message);
    answer = hello;
    if (attempt.isObsolete() || attempt.isSuperseded()) {
      // The peer has no session yet: there is nothing to end.
      end(null);
    } else if (attempt.channel() != null && attempt.channel().isClosed()) {
      failed("the session has ended");
    } else {
      show();
    }
  }

  private void show() {
    VirtualChannel channel = attempt.channel();
    byte[] session = channel == null ? null : channel.session().key();
    byte[] key = channel == null ? authenticator.newSession() : session;
    try {
      subchannel =
          setup.expose(attempt.subchannelId(), attempt.isFurther(), authenticator.sealing(key));
    } catch (FabricUnavailableException | IllegalStateException e) {
      failed(e.getMessage());
      return;
    }
    subchannel.replaces = attempt.replaces();
    if (channel != null) {
      // The peer may write as soon as it read the PROOF: from now on the channel fences and tells.
      engine.handshakes(rail).joinedEarly(subchannel, channel, this);
    }
    become(HandshakeState.AWAITING_JOINED);
    attempt.showing();
    receive();
    sendProof(session);
  }

  private void admitted(Proof proof) throws MalformedFrameException, Refused {
    VirtualChannel channel = attempt.channel();
    boolean fresh = channel == null;
    Grant grant = authenticator.check(proof);
    checkSizes(grant, attempt.isFurther());
    byte[] session = fresh ? null : channel.session().key();
    authenticator.checkSession(grant, session);
    if (!fresh && !isSame(channel.session().hello())) {
      failed("somebody else answers there");
      return;
    }
    if (!fresh && channel.isClosed()) {
      failed("the session has ended");
      return;
    }
    if (!fresh && channel.recovery().isGivenUpByPeer(attempt.subchannelId())) {
      // Its RESUME overtook the answer and will not come again.
      failed("the peer gave it up already");
      return;
    }
    if (!fresh && channel.recovery().isFull()) {
      failed("the session has as many subchannels as one may");
      return;
    }
    if (fresh) {
      channel = newChannel(answer, grant, authenticator.newSession());
    }
    try {
      setup.attach(subchannel, channel, grant);
    } catch (RemoteAccessException e) {
      failed(e.getMessage());
      return;
    }
    joined(channel);
    if (fresh) {
      engine.add(channel);
    }
    engine.refusals().connected(endpoint);
    attempt.succeeded(channel, subchannel);
  }

  /** A peer that restarted, or whose session has ended, does not come so far: it refuses. */
  private boolean isSame(Hello atFirst) {
    return answer.identity().incarnationHigh() == atFirst.identity().incarnationHigh()
        && answer.identity().incarnationLow() == atFirst.identity().incarnationLow()
        && answer.attempt().epoch() == atFirst.attempt().epoch()
        && answer.attempt().firstPsn() == atFirst.attempt().firstPsn();
  }

  /** Only a refusal that is the peer's for sure may end a session: others cost an attempt. */
  private void rejected(HelloReject reject, byte[] message) {
    boolean restarted =
        reject.reason() == HelloReject.UNKNOWN_SESSION && authenticator.isPeers(reject, message);
    end(attempt.channel());
    attempt.refused(reject.text(), restarted);
  }

  @Override
  void refuse(HelloReject reject) {
    engine.refusals().handshake(endpoint, reject.text());
    failed(reject.text());
  }

  @Override
  void late() {
    failed("no HELLO in time");
  }

  @Override
  void failed(String reason) {
    if (subchannel != null && subchannel.state() != SubchannelState.HANDSHAKING) {
      return;
    }
    boolean told = isOver();
    if (attempt.isObsolete() && subchannel != null && attempt.channel() != null) {
      attempt.channel().recovery().giveUp(subchannel.id, reason);
    }
    end(attempt.channel());
    if (!told) {
      attempt.failed(reason);
    }
  }

  @Override
  void nodeLeaves(String reason) {
    attempt.nodeLeaves(reason);
  }
}
