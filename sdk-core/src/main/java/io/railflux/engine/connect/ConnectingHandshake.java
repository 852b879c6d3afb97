package io.railflux.engine.connect;

import io.railflux.crypto.KeySchedule.Role;
import io.railflux.engine.base.Incarnation;
import io.railflux.engine.base.Rail;
import io.railflux.engine.base.SessionMemory;
import io.railflux.engine.path.Subchannel;
import io.railflux.engine.session.VirtualChannel;
import io.railflux.exceptions.FabricUnavailableException;
import io.railflux.fabric.Endpoint;
import io.railflux.fabric.RemoteAccessException;
import io.railflux.policy.ChannelKind;
import io.railflux.wire.MalformedFrameException;
import io.railflux.wire.handshake.Grant;
import io.railflux.wire.handshake.HandshakeHeader;
import io.railflux.wire.handshake.Hello;
import io.railflux.wire.handshake.HelloReject;
import io.railflux.wire.handshake.Proof;
import java.nio.ByteBuffer;

/** The connecting side of a handshake, for one attempt on one rail. Engine thread only. */
final class ConnectingHandshake extends Handshake implements FirstContact.Contender {

  private final Reconnect.Attempt attempt;
  private Hello answer;

  ConnectingHandshake(
      Connections connections,
      Rail rail,
      Endpoint endpoint,
      SessionMemory.HandshakeMemory messages,
      Reconnect.Attempt attempt) {
    super(connections, rail, endpoint, messages, Role.CONNECTOR);
    this.attempt = attempt;
  }

  /** Equals the accepting side's bound for unauthenticated peers, which may have hundreds to answer at once. */
  @Override
  long boundNanos() {
    return 2 * connections.config().timing().handshakeNanos();
  }

  @Override
  void started() {
    VirtualChannel.Session agreed = attempt.agreed();
    attempt.greeting();
    ownFirstPsn = agreed == null ? connections.origins().firstPsn() : agreed.ownFirstPsn();
    try {
      Hello hello = hello(
          attempt.expectedPeer(),
          new Hello.Attempt(attempt.session(), attempt.subchannelId(), ownFirstPsn),
          (attempt.isFurther() ? Hello.FURTHER_PATH : 0) | ownFeatures(),
          authenticator.offer());
      ByteBuffer message = outgoing();
      hello.encode(message);
      authenticator.prove(message, MESSAGE_BYTES, message.position());
      send(message);
    } catch (Refusals.Refused e) {
      failed(e.getMessage());
    }
  }

  @Override
  void onMessage(byte[] message) throws MalformedFrameException, Refusals.Refused {
    ByteBuffer source = ByteBuffer.wrap(message);
    if (HandshakeHeader.messageType(source) == HandshakeHeader.HELLO_REJECT) {
      rejected(HelloReject.decode(source), message);
    } else if (state() == Handshake.State.AWAITING_HELLO) {
      answered(Hello.decode(source), message);
    } else {
      admitted(Proof.decode(source, HandshakeHeader.JOINED));
    }
  }

  private void answered(Hello hello, byte[] message)
      throws MalformedFrameException, Refusals.Refused {
    checkWindow(hello);
    Hello.Identity identity = hello.identity();
    Incarnation expected = new Incarnation(identity.expectedHigh(), identity.expectedLow());
    if (!expected.equals(connections.incarnation())
        || hello.attempt().subchannel() != attempt.subchannelId()) {
      throw new MalformedFrameException("HELLO answers another handshake");
    }
    authenticator.answered(hello, message);
    answer = hello;
    if (isWanted()) {
      showInTurn();
    }
  }

  /** Returns whether the handshake is still wanted; otherwise ends it. */
  private boolean isWanted() {
    if (attempt.isObsolete() || attempt.isSuperseded()) {
      // The peer has no session yet: there is nothing to end.
      end(null);
    } else if (attempt.channel() != null && attempt.channel().isClosed()) {
      failed("the session has ended");
    }
    return !isOver();
  }

  private void showInTurn() {
    if (attempt.mayContinue(this)) {
      show();
    } else {
      become(Handshake.State.AWAITING_TURN);
    }
  }

  /** Returns whether this handshake is an attempt at the given connection. */
  @Override
  public boolean leadsTo(Destination to) {
    return attempt.isAt(to);
  }

  /** Leaves because another address led to the peer. The peer has no session of this handshake. */
  @Override
  public void leave() {
    end(null);
  }

  @Override
  void memoryReserved() {
    if (isWanted()) {
      show();
    }
  }

  @Override
  void exhausted(String reason) {
    failed(reason);
  }

  /** Assumes that the peer's ring is as large as before, or as this side's ring. */
  private int stagedBytes(ChannelKind kind) {
    if (!authenticator.seals()) {
      return 0;
    }
    VirtualChannel.Session agreed = attempt.agreed();
    return agreed == null ? connections.config().limits().ringBytes(kind) : agreed.peerRingBytes();
  }

  /** Continues after the peer's answer. From here on the peer may have a session. */
  @Override
  public void show() {
    VirtualChannel channel = attempt.channel();
    ChannelKind kind = firstKind(answer);
    if (!reserve(channel, setup.needs(channel, attempt.isFurther(), kind, stagedBytes(kind)))) {
      return;
    }
    byte[] session = channel == null ? null : attempt.agreed().key();
    byte[] key = channel == null ? authenticator.newSession() : session;
    try {
      expose(
          attempt.subchannelId(), attempt.isFurther(), kind, authenticator.sealing(key), channel);
    } catch (FabricUnavailableException | IllegalStateException e) {
      failed(e.getMessage());
      return;
    }
    subchannel.replace(attempt.replaces());
    if (channel != null) {
      // The peer may write as soon as it reads the PROOF: from here on the channel fences and
      // reports.
      connections.handshakes(rail).joinedEarly(subchannel, channel, this);
    }
    become(Handshake.State.AWAITING_JOINED);
    attempt.showing();
    receive();
    sendProof(session);
  }

  private void admitted(Proof proof) throws MalformedFrameException, Refusals.Refused {
    VirtualChannel channel = attempt.channel();
    VirtualChannel.Session agreed = attempt.agreed();
    boolean fresh = channel == null;
    Grant grant = authenticator.check(proof);
    SubchannelSetup.checkSizes(grant, answer, attempt.isFurther());
    authenticator.checkSession(grant, fresh ? null : agreed.key());
    String objection = fresh ? null : objection(channel, agreed);
    if (objection != null) {
      failed(objection);
      return;
    }
    if (fresh) {
      channel = newChannel(answer, grant, authenticator.newSession());
    }
    try {
      attach(channel, grant, fresh);
    } catch (RemoteAccessException e) {
      failed(e.getMessage());
      return;
    }
    joined(channel);
    if (fresh) {
      connections.add(channel);
    }
    connections.refusals().connected(endpoint);
    attempt.succeeded(channel, subchannel);
  }

  /** Returns why the subchannel cannot join the session any more, or null. */
  private String objection(VirtualChannel channel, VirtualChannel.Session agreed) {
    if (!isSame(agreed.hello())) {
      return "another node answers at this address";
    }
    if (channel.isClosed()) {
      return "the session has ended";
    }
    if (channel.isGivenUpByPeer(attempt.subchannelId())) {
      // The peer's RESUME overtook the answer and is not repeated.
      return "the peer gave it up already";
    }
    return channel.isFull() ? "the session has the maximum number of subchannels" : null;
  }

  /** Returns whether the peer is unchanged. A restarted peer, or a peer whose session ended, has refused already. */
  private boolean isSame(Hello atFirst) {
    return answer.identity().incarnationHigh() == atFirst.identity().incarnationHigh()
        && answer.identity().incarnationLow() == atFirst.identity().incarnationLow()
        && answer.attempt().epoch() == atFirst.attempt().epoch()
        && answer.attempt().firstPsn() == atFirst.attempt().firstPsn();
  }

  /** Only a verified refusal may end a session. Any other refusal fails the attempt. */
  private void rejected(HelloReject reject, byte[] message) {
    boolean restarted =
        reject.reason() == HelloReject.UNKNOWN_SESSION && authenticator.isPeers(reject, message);
    end(attempt.channel());
    attempt.refused(reject.text(), restarted);
  }

  @Override
  void refuse(HelloReject reject) {
    connections.refusals().handshake(endpoint, reject.text());
    failed(reject.text());
  }

  @Override
  void late() {
    failed("no HELLO in time");
  }

  @Override
  void failed(String reason) {
    if (subchannel != null && subchannel.state() != Subchannel.State.HANDSHAKING) {
      return;
    }
    boolean reported = isOver();
    if (attempt.isObsolete() && subchannel != null && attempt.channel() != null) {
      attempt.channel().giveUp(subchannel.id, reason);
    }
    end(attempt.channel());
    if (!reported) {
      attempt.failed(reason);
    }
  }

  @Override
  void nodeLeaves(String reason) {
    attempt.nodeLeaves(reason);
  }
}
