package io.railflux.engine.connect;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.crypto.KeySchedule.Role;
import io.railflux.engine.Secured;
import io.railflux.engine.base.EngineConfig;
import io.railflux.fabric.Protection;
import io.railflux.policy.StripingPolicy;
import io.railflux.wire.handshake.Authentication;
import io.railflux.wire.handshake.Bits256;
import io.railflux.wire.handshake.Grant;
import io.railflux.wire.handshake.Hello;
import io.railflux.wire.handshake.HelloReject;
import io.railflux.wire.handshake.Versions;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Both halves of a handshake without a network. */
@SuppressWarnings("ByteBufferBackingArray") // All buffers wrap whole arrays.
class AuthenticatorTest {

  private static final Grant GRANT = new Grant(11, 65_536, 12, 128, Bits256.ZERO);
  private static final byte[] SESSION = new byte[32];
  private static final byte[] ANOTHER = Arrays.copyOf(new byte[] {1}, 32);

  private long drawn;

  private Authenticator authenticator(Role role) {
    EngineConfig config = new EngineConfig(
            "node",
            EngineConfig.Limits.DEFAULT,
            EngineConfig.Timing.DEFAULT,
            StripingPolicy::roundRobin)
        .withSecurity(Secured.KNOWS);
    Secrets secrets = new Secrets(Secured.KNOWS.secrets());
    return new Authenticator(config, secrets, Protection.NONE, role, () -> ++drawn);
  }

  private static Hello hello(Authentication authentication) {
    return new Hello(
        Versions.SUPPORTED,
        0,
        new Hello.Identity(1, 2, 0, 0, "node"),
        new Hello.Attempt(1, 0, 0),
        new Hello.Limits(1024, 4096, 16, 16),
        authentication,
        null);
  }

  private static ByteBuffer encoded(Hello hello) {
    ByteBuffer message = ByteBuffer.allocate(hello.encodedBytes());
    hello.encode(message);
    return message;
  }

  private final Authenticator connector = authenticator(Role.CONNECTOR);
  private final Authenticator acceptor = authenticator(Role.ACCEPTOR);

  private void exchangeHellos() throws Exception {
    ByteBuffer offer = encoded(hello(connector.offer()));
    connector.prove(offer, 0, offer.capacity());
    Hello offered = Hello.decode(ByteBuffer.wrap(offer.array()));
    ByteBuffer answer =
        encoded(hello(acceptor.answer(offered, offer.array(), new Authenticator.NonceCache())));
    acceptor.prove(answer, 0, answer.capacity(), offered, offer.array());
    connector.answered(Hello.decode(ByteBuffer.wrap(answer.array())), answer.array());
  }

  @Test
  void bothSidesAgreeOnTheSession() throws Exception {
    exchangeHellos();
    assertArrayEquals(connector.newSession(), acceptor.newSession());
    assertNotNull(connector.sealing(connector.newSession()));
    assertEquals(GRANT, acceptor.check(connector.show(GRANT, null)));
    assertEquals(GRANT, connector.check(acceptor.show(GRANT, null)));
  }

  @Test
  void grantsAreSealed() throws Exception {
    exchangeHellos();
    byte[] payload = connector.show(GRANT, null).payload();
    assertFalse(
        Arrays.equals(Arrays.copyOf(payload, Long.BYTES), new byte[] {11, 0, 0, 0, 0, 0, 0, 0}));
  }

  @Test
  void reflectedProofIsInvalid() throws Exception {
    exchangeHellos();
    assertThrows(Refusals.Refused.class, () -> connector.check(connector.show(GRANT, null)));
    assertThrows(Refusals.Refused.class, () -> acceptor.check(acceptor.show(GRANT, null)));
  }

  @Test
  void secretAloneDoesNotJoinASession() throws Exception {
    exchangeHellos();
    Grant right = acceptor.check(connector.show(GRANT, SESSION));
    acceptor.checkSession(right, SESSION);
    Grant none = acceptor.check(connector.show(GRANT, null));
    assertThrows(Refusals.Refused.class, () -> acceptor.checkSession(none, SESSION));
    Grant wrong = acceptor.check(connector.show(GRANT, ANOTHER));
    assertThrows(Refusals.Refused.class, () -> acceptor.checkSession(wrong, SESSION));
    Grant reflected = connector.check(acceptor.show(GRANT, SESSION));
    assertThrows(Refusals.Refused.class, () -> acceptor.checkSession(reflected, SESSION));
  }

  @Test
  void onlyTheRejectionOfThePeerIsAccepted() throws Exception {
    exchangeHellos();
    HelloReject reject = new HelloReject(Versions.SUPPORTED, HelloReject.UNKNOWN_SESSION, "gone");
    ByteBuffer message = ByteBuffer.allocate(reject.encodedBytes());
    reject.encode(message);
    assertFalse(connector.isPeers(reject, message.array()), "without proof");

    acceptor.proveReject(message, 0, message.capacity());
    HelloReject proven = HelloReject.decode(ByteBuffer.wrap(message.array()));
    assertTrue(connector.isPeers(proven, message.array()));
    assertFalse(acceptor.isPeers(proven, message.array()), "its own");
    message.array()[10] ^= 1;
    assertFalse(connector.isPeers(proven, message.array()), "another reason");
  }

  @Test
  void exchangesHaveDifferentKeys() throws Exception {
    exchangeHellos();
    Authenticator first = acceptor;
    byte[] before = first.newSession();
    AuthenticatorTest again = new AuthenticatorTest();
    again.drawn = 1_000;
    again.exchangeHellos();
    assertFalse(Arrays.equals(before, again.acceptor.newSession()));
    assertThrows(Refusals.Refused.class, () -> again.acceptor.check(connector.show(GRANT, null)));
  }
}
