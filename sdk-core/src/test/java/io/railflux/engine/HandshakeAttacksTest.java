package io.railflux.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.crypto.Secret;
import io.railflux.engine.base.EngineConfig;
import io.railflux.engine.base.Rail;
import io.railflux.engine.base.Security;
import io.railflux.engine.connect.AcceptedHandshakes;
import io.railflux.engine.connect.Reconnect;
import io.railflux.engine.session.ChannelHost;
import io.railflux.engine.session.VirtualChannel;
import io.railflux.fabric.Protection;
import io.railflux.fabric.sim.LinkModel;
import io.railflux.fabric.sim.SimConfig;
import io.railflux.fabric.sim.SimFaults;
import io.railflux.security.Encryption;
import io.railflux.wire.MalformedFrameException;
import io.railflux.wire.handshake.Authentication;
import io.railflux.wire.handshake.Bits256;
import io.railflux.wire.handshake.Hello;
import io.railflux.wire.handshake.HelloReject;
import io.railflux.wire.handshake.Versions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

// More than 400 lines: a specification with one test method for each statement.
/** Attacks without the secret before authentication, on the path or from elsewhere. */
class HandshakeAttacksTest {

  private static final long WHILE_NANOS = 20 * TwoEngines.MILLIS;

  private final List<VirtualChannel> accepted = new ArrayList<>();
  private VirtualChannel established;
  private String failure;

  private TwoEngines apart(Security near, Security far) {
    return apart(SimConfig.rdma(), near, far);
  }

  private TwoEngines apart(SimConfig network, Security near, Security far) {
    TwoEngines engines = TwoEngines.apart(Secured.setting(network, near, far));
    engines.far.engine().onAccepted(accepted::add);
    engines.listen(engines.far.engine().rails().get(0));
    return engines;
  }

  private void connect(TwoEngines engines, String location) {
    Rail.Target target = new Rail.Target(engines.near.engine().rails().get(0), location);
    engines.near.run(() -> engines
        .near
        .engine()
        .connect(List.of(target), new ChannelHost.Listener() {
          @Override
          public void onEstablished(VirtualChannel channel) {
            established = channel;
          }

          @Override
          public void onFailed(String reason) {
            failure = reason;
          }
        }));
  }

  private void assertNoSession(TwoEngines engines) {
    assertNull(established);
    assertEquals(List.of(), accepted);
    assertEquals(List.of(), engines.far.engine().channels());
  }

  private void assertRejectedWith(Security near, Security far, String reason) {
    TwoEngines engines = apart(near, far);
    connect(engines, "far/service");
    engines.await(() -> failure != null);
    assertTrue(failure.contains(reason), failure);
    assertNoSession(engines);
    assertEquals(1, engines.far.engine().refusals().handshakes());
  }

  @Test
  void rejectsAnotherSecret() {
    assertRejectedWith(
        Secured.KNOWS_ANOTHER, Secured.KNOWS, "the accepting node has another secret");
  }

  @Test
  void rejectsAPeerWithoutASecret() {
    assertRejectedWith(
        Security.DEFAULT,
        Secured.KNOWS,
        "the accepting node requires a secret, and the connecting node has none");
  }

  @Test
  void rejectsAPeerThatRequiresASecretOfANodeWithoutOne() {
    assertRejectedWith(
        Secured.KNOWS,
        Security.DEFAULT,
        "the accepting node has no secret, and the connecting node requires one");
  }

  @Test
  void rejectsIncompatibleEncryptionSettings() {
    Security never = Secured.KNOWS.withEncryption(Encryption.NEVER);
    assertRejectedWith(
        Secured.SEALS, never, "one side requires encryption and the other side refuses it");
  }

  private Mallory between(TwoEngines engines) {
    Mallory mallory = new Mallory(engines.network, "far/service");
    connect(engines, Mallory.LOCATION);
    return mallory;
  }

  /** The other tests are meaningful only because this one passes. */
  @Test
  void relayWithoutChangesIsNotDetected() {
    TwoEngines engines = apart(Secured.KNOWS, Secured.KNOWS);
    Mallory mallory = between(engines);
    engines.await(() -> !accepted.isEmpty() && established != null);
    assertEquals(2, mallory.fromConnector.size());
    assertEquals(2, mallory.fromAcceptor.size());
  }

  /** The message of the handshake that is changed. */
  private enum Message {
    HELLO_OF_CONNECTOR,
    HELLO_OF_ACCEPTOR,
    PROOF,
    JOINED
  }

  private boolean joins(Message message, UnaryOperator<byte[]> change) {
    accepted.clear();
    established = null;
    failure = null;
    TwoEngines engines = apart(Secured.KNOWS, Secured.KNOWS);
    Mallory mallory = new Mallory(engines.network, "far/service");
    boolean ofConnector = message == Message.HELLO_OF_CONNECTOR || message == Message.PROOF;
    int index = message == Message.PROOF || message == Message.JOINED ? 1 : 0;
    List<byte[]> said = ofConnector ? mallory.fromConnector : mallory.fromAcceptor;
    UnaryOperator<byte[]> changed = m -> said.size() == index + 1 ? change.apply(m) : m;
    if (ofConnector) {
      mallory.toAcceptor = changed;
    } else {
      mallory.toConnector = changed;
    }
    connect(engines, Mallory.LOCATION);
    engines.network.runUntil(
        () -> established != null || failure != null, engines.network.now() + WHILE_NANOS);
    boolean acceptorFooled = !accepted.isEmpty() && message != Message.JOINED;
    return established != null || acceptorFooled;
  }

  private static UnaryOperator<byte[]> flip(int at, int bit) {
    return message -> {
      message[at] ^= (byte) (1 << bit);
      return message;
    };
  }

  @Test
  void detectsAChangeOfAnyBitOfEitherHello() {
    for (Message message : List.of(Message.HELLO_OF_CONNECTOR, Message.HELLO_OF_ACCEPTOR)) {
      assertTrue(joins(message, m -> m));
      for (int at = 0; at < 196; at += 3) {
        assertFalse(joins(message, flip(at, at % 8)), message + ", byte " + at);
      }
    }
  }

  @Test
  void detectsAChangeOfAnyBitOfProofOrGrant() {
    for (Message message : List.of(Message.PROOF, Message.JOINED)) {
      assertTrue(joins(message, m -> m));
      for (int at = 10; at < 12 + 32 + 56 + 16; at += 3) {
        assertFalse(joins(message, flip(at, at % 8)), message + ", byte " + at);
      }
    }
  }

  @Test
  void detectsDowngrades() {
    int sealing = Authentication.sealingOffset();
    for (Message message : List.of(Message.HELLO_OF_CONNECTOR, Message.HELLO_OF_ACCEPTOR)) {
      assertFalse(
          joins(message, set(sealing, Authentication.MUST)),
          "sealed although neither side requires it");
      assertFalse(joins(message, set(sealing - 1, Authentication.NONE)), "without a secret");
      assertFalse(joins(message, set(sealing + 1, 2)), "another cipher");
      assertFalse(joins(message, set(8, 7)), "another range of versions");
      assertFalse(joins(message, m -> Arrays.copyOf(m, m.length + 4)), "bytes behind the message");
    }
  }

  private static UnaryOperator<byte[]> set(int at, int value) {
    return message -> {
      message[at] = (byte) value;
      return message;
    };
  }

  @Test
  void rejectsAReplayedHelloImmediately() {
    TwoEngines engines = apart(Secured.KNOWS, Secured.KNOWS);
    Mallory mallory = between(engines);
    engines.await(() -> !accepted.isEmpty());
    Mallory.End replay = mallory.dial();
    replay.say(mallory.fromConnector.get(0));
    engines.await(() -> replay.received.size() == 1);
    assertRejected(HelloReject.AUTHENTICATION, replay.received.get(0));
    assertEquals(1, engines.far.engine().channels().size());
  }

  /** Also without a secret: the session may have begun where fewer peers are accepted. */
  @Test
  void joiningRequiresTheFirstNumberOfTheSession() throws MalformedFrameException {
    TwoEngines engines = apart(Security.DEFAULT, Security.DEFAULT);
    Mallory mallory = between(engines);
    engines.await(() -> !accepted.isEmpty());
    byte[] hello = mallory.fromConnector.get(0);
    assertEquals(0, Hello.decode(ByteBuffer.wrap(hello)).attempt().firstPsn());
    Mallory.End knows = mallory.dial();
    knows.say(hello);
    engines.await(() -> knows.received.size() == 1);
    assertEquals(
        0, Hello.decode(ByteBuffer.wrap(knows.received.get(0))).attempt().firstPsn());

    byte[] guessed = hello.clone();
    guessed[60] = 1;
    assertEquals(1, Hello.decode(ByteBuffer.wrap(guessed)).attempt().firstPsn());
    Mallory.End guesses = mallory.dial();
    guesses.say(guessed);
    engines.await(() -> guesses.received.size() == 1);
    assertRejected(HelloReject.MALFORMED, guesses.received.get(0));
  }

  /** A redialed peer must prove the same. An impostor that answers in its place is rejected. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void answeringRequiresTheFirstNumberOfTheSession(boolean knows) {
    TwoEngines engines =
        TwoEngines.apart(Secured.setting(SimConfig.rdma(), Security.DEFAULT, Security.DEFAULT));
    engines.far.engine().onAccepted(accepted::add);
    connect(engines, engines.listen(engines.far.engine().rails().get(0)));
    engines.await(() -> established != null);
    Mallory mallory = new Mallory(engines.network, "far/service");
    mallory.toConnector = message ->
        knows || mallory.fromAcceptor.size() > 1 ? message : flip(60, 1).apply(message);
    Rail.Target there = new Rail.Target(engines.near.engine().rails().get(0), Mallory.LOCATION);
    engines.near.run(() -> Reconnect.of(established).add(there));

    engines.pass(2 * TwoEngines.MILLIS);
    assertEquals(2, mallory.fromAcceptor.size());
    assertEquals(knows ? 2 : 1, TwoEngines.live(established));
  }

  @Test
  void rejectsAReplayedProof() {
    TwoEngines engines = apart(Secured.KNOWS, Secured.KNOWS);
    Mallory mallory = between(engines);
    engines.await(() -> !accepted.isEmpty());
    mallory.toAcceptor =
        message -> mallory.fromConnector.size() == 4 ? mallory.fromConnector.get(1) : message;
    connect(engines, Mallory.LOCATION);
    engines.await(() -> failure != null);
    assertRejected(HelloReject.AUTHENTICATION, mallory.fromAcceptor.get(3));
    assertEquals(1, accepted.size());
  }

  private static void assertRejected(int reason, byte[] message) {
    try {
      assertEquals(reason, HelloReject.decode(ByteBuffer.wrap(message)).reason());
    } catch (MalformedFrameException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void rejectsReflectedMessages() {
    TwoEngines engines = apart(Secured.KNOWS, Secured.KNOWS);
    Mallory mallory = new Mallory(engines.network, "far/service");
    mallory.toAcceptor = message -> null;
    connect(engines, Mallory.LOCATION);
    engines.await(() -> mallory.fromConnector.size() == 1);
    byte[] hello = mallory.fromConnector.get(0);

    mallory.answerOfItsOwn = withExpected(hello);
    failure = null;
    connect(engines, Mallory.LOCATION);
    engines.await(() -> failure != null);
    assertNoSession(engines);
  }

  /** Returns the HELLO of a connector, modified to resemble an answer. */
  private static byte[] withExpected(byte[] hello) {
    byte[] answer = hello.clone();
    System.arraycopy(hello, 20, answer, 36, 16);
    return answer;
  }

  @Test
  void nodeRejectsItsOwnHello() {
    TwoEngines engines = apart(Secured.KNOWS, Secured.KNOWS);
    Mallory mallory = new Mallory(engines.network, "far/service");
    mallory.toAcceptor = message -> null;
    connect(engines, Mallory.LOCATION);
    engines.await(() -> mallory.fromConnector.size() == 1);
    listen(engines.near.engine());

    Mallory.End back = mallory.dial("near/mirror");
    back.say(mallory.fromConnector.get(0));
    engines.await(() -> back.received.size() == 1);
    assertRejected(HelloReject.MALFORMED, back.received.get(0));
    assertEquals(List.of(), engines.near.engine().channels());
  }

  private static void listen(Engine engine) {
    try {
      engine.listen(engine.rails().get(0), "mirror");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void rejectsAPublicKeyWithAKnownAgreement() {
    TwoEngines engines = apart(Secured.KNOWS, Secured.KNOWS);
    Mallory.End insider = new Mallory(engines.network, "far/service").dial();
    insider.say(helloOfAnInsider(Bits256.ZERO));
    engines.await(() -> insider.received.size() == 1);
    assertRejected(HelloReject.AUTHENTICATION, insider.received.get(0));
  }

  private static byte[] helloOfAnInsider(Bits256 publicKey) {
    Secret secret = new Secret(Secured.SECRET);
    Hello hello = new Hello(
        Versions.SUPPORTED,
        0,
        new Hello.Identity(1, 2, 0, 0, "insider"),
        new Hello.Attempt(1, 0, 0),
        new Hello.Limits(1024, 4096, 16, 16),
        new Authentication(
            Authentication.SECRET,
            0,
            3,
            secret.id(),
            new Bits256(1, 2, 3, 4),
            publicKey,
            Bits256.ZERO),
        null);
    ByteBuffer message = ByteBuffer.allocate(hello.encodedBytes());
    hello.encode(message);
    Bits256.of(secret.proveGreeting(message.array())).put(message, Authentication.proofOffset());
    return message.array();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void forgedRejectionDoesNotEndASession(boolean secret) {
    Security both = secret ? Secured.KNOWS : Security.DEFAULT;
    TwoEngines engines =
        TwoEngines.apart(Secured.setting(SimConfig.rdma().withRails(2), both, both));
    engines.far.engine().onAccepted(accepted::add);
    engines.listen(engines.far.engine().rails().get(0));
    Mallory mallory = new Mallory(engines.network, "far/service");
    HelloReject reject = new HelloReject(Versions.SUPPORTED, HelloReject.UNKNOWN_SESSION, "gone");
    ByteBuffer message = ByteBuffer.allocate(reject.encodedBytes());
    reject.encode(message);
    mallory.answerOfItsOwn = message.array();
    List<Rail> rails = engines.near.engine().rails();
    List<Rail.Target> targets = List.of(
        new Rail.Target(rails.get(0), "far/service"),
        new Rail.Target(rails.get(0), Mallory.LOCATION));
    engines.near.run(() -> engines.near.engine().connect(targets, new ChannelHost.Listener() {
      @Override
      public void onEstablished(VirtualChannel channel) {
        established = channel;
      }

      @Override
      public void onFailed(String reason) {
        failure = reason;
      }
    }));
    engines.await(() -> established != null);
    engines.pass(WHILE_NANOS);
    assertFalse(established.isClosed());
  }

  @Test
  void restartedNodeIsDetected() {
    TwoEngines engines = Secured.connected(SimConfig.rdma(), Secured.KNOWS);
    engines.far.kill();
    engines.far.restart();
    engines.listen(engines.far.engine().rails().get(0));
    engines.await(() -> engines.nearChannel.isClosed());
    assertTrue(
        engines.network.now() < EngineConfig.Timing.DEFAULT.partitionNanos(), "by the bound only");
  }

  @Test
  void floodOfConnectionsIsBoundedAndDoesNotBlockOthers() {
    TwoEngines engines = apart(Secured.KNOWS, Secured.KNOWS);
    Mallory mallory = new Mallory(engines.network, "far/service");
    for (int wave = 0; wave < 40; wave++) {
      engines.network.schedule(wave * TwoEngines.MILLIS / 10, () -> flood(mallory));
    }
    engines.pass(2 * TwoEngines.MILLIS);
    connect(engines, "far/service");
    engines.await(() -> established != null);
    engines.pass(3 * TwoEngines.MILLIS);
    int most = AcceptedHandshakes.most(EngineConfig.Limits.DEFAULT);
    assertTrue(engines.far.engine().refusals().handshakes() >= 40 * 50 - most);
    assertEquals(1, engines.far.engine().refusals().named(), "logged once");
    assertEquals(1, accepted.size());
  }

  /** Within a round trip of the honest peer, the flood is several times the number of pending connections. */
  @Test
  void floodFromOneHostDoesNotBlockDistantHosts() {
    LinkModel far = LinkModel.FAST.withLatency(TwoEngines.MILLIS, TwoEngines.MILLIS);
    TwoEngines engines = apart(SimConfig.rdma().withLink(far), Secured.KNOWS, Secured.KNOWS);
    Mallory mallory = new Mallory(engines.network, "far/service");
    for (int wave = 0; wave < 100; wave++) {
      engines.network.schedule(wave * TwoEngines.MILLIS / 10, () -> flood(mallory));
    }
    engines.pass(2 * TwoEngines.MILLIS);

    connect(engines, "far/service");

    engines.pass(8 * TwoEngines.MILLIS);
    assertNull(failure);
    assertNotNull(established);
    assertEquals(1, accepted.size());
  }

  /** Some connections are silent, others send no valid HELLO. */
  private static void flood(Mallory mallory) {
    for (int i = 0; i < 25; i++) {
      mallory.dial();
      mallory.dial().say(new byte[] {'R'});
    }
  }

  @Test
  void silentConnectionIsClosedInTime() {
    TwoEngines engines = apart(Secured.KNOWS, Secured.KNOWS);
    engines.network.faults(SimFaults.NONE.withCloseNotice(1));
    Mallory mallory = new Mallory(engines.network, "far/service");
    Mallory.End silent = mallory.dial();
    Mallory.End greeting = mallory.dial();
    greeting.say(helloOfAnInsider(new Bits256(9, 0, 0, 0)));
    engines.pass(EngineConfig.Timing.DEFAULT.handshakeNanos() + WHILE_NANOS);
    assertNull(silent.failure, "one of hundreds may not be scheduled for that long");
    engines.pass(EngineConfig.Timing.DEFAULT.handshakeNanos());
    assertNotNull(silent.failure);
    assertNotNull(greeting.failure);
    assertEquals(2, engines.far.engine().refusals().handshakes());
  }

  @Test
  void unauthenticatedListeningRequiresExplicitPermission() {
    SimConfig open = SimConfig.rdma().withProtection(Protection.NONE);
    assertFalse(listens(open, Security.DEFAULT));
    assertTrue(listens(open, Secured.KNOWS));
    assertTrue(listens(open, Security.DEFAULT.withUnauthenticated(true)));
    assertFalse(listens(open.withProtection(Protection.TLS), Security.DEFAULT));
    assertTrue(listens(open.withProtection(Protection.TLS_MUTUAL), Security.DEFAULT));
    assertTrue(listens(open.withProtection(Protection.LOOPBACK), Security.DEFAULT));
    assertTrue(listens(open.withProtection(Protection.SAME_HOST), Security.DEFAULT));
  }

  private static boolean listens(SimConfig network, Security security) {
    TwoEngines engines = TwoEngines.apart(Secured.setting(network, security, security));
    try {
      engines.listen(engines.far.engine().rails().get(0));
      return true;
    } catch (UncheckedIOException e) {
      assertTrue(e.getMessage().contains("Railflux.secret"), e.getMessage());
      return false;
    }
  }
}
