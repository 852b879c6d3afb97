package io.railflux.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.crypto.CipherSuite;
import io.railflux.engine.base.EngineConfig;
import io.railflux.engine.base.Security;
import io.railflux.engine.path.Subchannel;
import io.railflux.engine.rendezvous.RendezvousProtocolTest;
import io.railflux.engine.session.SessionLifecycle;
import io.railflux.engine.session.VirtualChannel;
import io.railflux.fabric.Access;
import io.railflux.fabric.Protection;
import io.railflux.fabric.sim.SimConfig;
import io.railflux.fabric.sim.SimFaults;
import io.railflux.policy.Rendezvous;
import io.railflux.security.Encryption;
import io.railflux.security.SecretSource;
import io.railflux.wire.Region;
import io.railflux.wire.RendezvousReply;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Flux;

/** Sessions of nodes with a secret. */
class SecuredSessionsTest {

  /** Streams over frames that no attacker between the engines can read, change, replay or forge. */
  @Nested
  class SealedFrames {

    private static final int COUNT = 3_000;

    static Stream<SimConfig> networks() {
      return Stream.of(
          SimConfig.mapped(),
          SimConfig.rdma(),
          SimConfig.unordered(),
          SimConfig.rdma().withRails(2));
    }

    private static void assertAllArrive(TwoEngines engines, int bodyBytes) {
      Flow flow = engines.flow("numbers").sized(bodyBytes).send(COUNT).receive();
      engines.await(flow::ended);
      flow.assertReceived(COUNT);
      assertEquals(COUNT, flow.sink.acknowledged);
      engines.awaitQuiet();
    }

    private static Subchannel subchannel(VirtualChannel channel) {
      return channel.live().get(0);
    }

    @ParameterizedTest
    @MethodSource("networks")
    void carryEverythingInOrder(SimConfig network) {
      TwoEngines engines = Secured.connected(network, Secured.SEALS);
      assertNotNull(subchannel(engines.nearChannel).sealing);
      assertAllArrive(engines, 1_000);
      assertAllArrive(engines, Long.BYTES);
      assertEquals(0, engines.nearChannel.counters().endpointsLost());
    }

    @ParameterizedTest
    @MethodSource("networks")
    void carryLargeMessages(SimConfig network) {
      TwoEngines engines = Secured.connected(network, Secured.SEALS);
      Flow flow = engines.flow("large").sized(300_000).send(30).receive();
      engines.await(flow::ended);
      flow.assertReceived(30);
      RendezvousProtocolTest.assertNothingHeld(engines);
    }

    @Test
    void workWithEitherCipher() {
      for (CipherSuite cipher : CipherSuite.values()) {
        TwoEngines engines = Secured.connected(SimConfig.rdma(), Secured.SEALS.withCipher(cipher));
        assertEquals(cipher, subchannel(engines.nearChannel).sealing.cipher());
        assertAllArrive(engines, 100);
      }
    }

    @Test
    void areSealedByDefaultOverAnOpenNetworkOnly() {
      for (Protection protection : Protection.values()) {
        TwoEngines engines =
            Secured.connected(SimConfig.rdma().withProtection(protection), Secured.KNOWS);
        boolean sealed = subchannel(engines.farChannel).sealing != null;
        assertEquals(protection == Protection.NONE, sealed, protection.name());
        assertEquals(sealed, subchannel(engines.farChannel).explain().contains("frames encrypted"));
      }
    }

    @Test
    void areNotSealedIfBothSidesDisableSealing() {
      Security never = Secured.KNOWS.withEncryption(Encryption.NEVER);
      TwoEngines engines =
          Secured.connected(SimConfig.rdma().withProtection(Protection.NONE), never);
      assertNull(subchannel(engines.farChannel).sealing);
      assertAllArrive(engines, 100);
    }

    @Test
    void areSealedIfOneSideRequiresIt() {
      TwoEngines engines =
          TwoEngines.connected(Secured.setting(SimConfig.rdma(), Secured.KNOWS, Secured.SEALS));
      assertNotNull(subchannel(engines.nearChannel).sealing);
      assertAllArrive(engines, 100);
    }

    /** The content of the far ring does not reveal the messages. */
    @Test
    void doNotRevealTheMessages() {
      assertTrue(isSeen(Secured.KNOWS), "the search works");
      assertTrue(!isSeen(Secured.SEALS), "a message was in plaintext in the ring");
    }

    private static boolean isSeen(Security security) {
      TwoEngines engines = Secured.connected(SimConfig.rdma(), security);
      long number = 0x5EC2E75EC2E7L;
      boolean[] seen = new boolean[1];
      ByteBuffer ring = subchannel(engines.farChannel)
          .memory
          .ring()
          .memory()
          .duplicate()
          .order(ByteOrder.LITTLE_ENDIAN);
      Flow flow = engines.flow("numbers").sized(2_000);
      flow.send(Flux.just(number)).receive();
      engines.network.runUntil(
          () -> {
            for (int at = 0; at + Long.BYTES <= 8_192; at++) {
              seen[0] |= ring.getLong(at) == number;
            }
            return flow.ended();
          },
          engines.network.now() + TwoEngines.PATIENCE_NANOS);
      assertTrue(flow.ended());
      return seen[0];
    }

    @ParameterizedTest
    @MethodSource("networks")
    void areSealedAgainForAnotherRailAfterALoss(SimConfig network) {
      if (network.capabilities().mapped()) {
        return;
      }
      TwoEngines engines = Secured.connected(network, Secured.SEALS);
      Flow flow = engines.flow("numbers").sized(1_000).send(COUNT).receive();
      engines.await(() -> flow.received.size() > COUNT / 10);
      engines.link(0).blackHole();
      engines.await(() -> engines.nearChannel.counters().endpointsLost() > 0);
      engines.pass(20 * TwoEngines.MILLIS);
      engines.link(0).heal();
      engines.await(flow::ended);
      flow.assertReceived(COUNT);
      assertTrue(engines.nearChannel.counters().framesReplayed() > 0);
      assertEquals(0, engines.farChannel.counters().duplicatesDropped());
      engines.awaitQuiet();
    }

    @ParameterizedTest
    @MethodSource("networks")
    void areRejectedIfTheNetworkChangedThem(SimConfig network) {
      if (network.capabilities().mapped()) {
        return;
      }
      TwoEngines engines = Secured.connected(network, Secured.SEALS);
      Flow flow = engines.flow("numbers").sized(1_000).send(COUNT).receive();
      engines.network.faults(SimFaults.NONE.withCorruption(0.1));
      engines.await(() -> engines.far.engine().refusals().frames() > 0);
      engines.network.faults(SimFaults.NONE);
      engines.await(flow::ended);
      flow.assertReceived(COUNT);
      assertEquals(COUNT, flow.sink.acknowledged);
      engines.awaitQuiet();
    }
  }

  /** Secrets change while nodes run, without a restart and without an interval in which no peer can connect. */
  @Nested
  class SecretRotation {

    private static final String OLD = "the old secret of the tests";
    private static final String NEW = "the new secret of the tests";

    private String near = OLD;
    private String far = OLD;

    private TwoEngines connected() {
      return TwoEngines.connected(Secured.setting(
          SimConfig.rdma(),
          Security.DEFAULT.withSecrets(SecretSource.callback(() -> near)),
          Security.DEFAULT.withSecrets(SecretSource.callback(() -> far))));
    }

    private static void reconnects(TwoEngines engines) {
      long lost = engines.nearChannel.counters().endpointsLost();
      engines.link(0).blackHole();
      engines.await(() -> engines.nearChannel.counters().endpointsLost() > lost);
      engines.link(0).heal();
      engines.await(() -> engines.nearChannel.state() == SessionLifecycle.State.ESTABLISHED);
      engines.awaitQuiet();
    }

    @Test
    void rotationKeepsSessionsAndPermitsNewOnes() {
      TwoEngines engines = connected();
      VirtualChannel first = engines.nearChannel;
      far = OLD + "\n" + NEW;
      reconnects(engines);
      near = NEW;
      reconnects(engines);
      far = NEW;
      reconnects(engines);
      assertFalse(first.isClosed());
      engines.connectAgain();
      assertEquals(2, engines.far.engine().channels().size());
      assertEquals(0, engines.far.engine().refusals().handshakes());
    }

    @Test
    void peerWithAnOldSecretCannotReconnect() {
      TwoEngines engines = connected();
      far = NEW;
      engines.link(0).blackHole();
      engines.await(() -> engines.nearChannel.counters().endpointsLost() > 0);
      engines.link(0).heal();
      engines.await(() -> engines.far.engine().refusals().handshakes() > 0);
      assertEquals(SessionLifecycle.State.PAUSED, engines.nearChannel.state());
      near = NEW;
      engines.await(() -> engines.nearChannel.state() == SessionLifecycle.State.ESTABLISHED);
    }

    @Test
    void failedSourceKeepsThePreviousSecrets() {
      TwoEngines engines = connected();
      near = null;
      far = null;
      reconnects(engines);
      assertTrue(!engines.nearChannel.isClosed());
    }
  }

  /** A peer with the secret may send such a grant; this is no fault of this node. */
  @Test
  @Tag("FT1")
  void grantTooSmallForSealedChunksCostsItsRailButNotTheSession() {
    EngineConfig.Large written =
        EngineConfig.Large.DEFAULT.withMode(Rendezvous.WRITE).withReceiveBudgetBytes(300_000);
    TwoEngines sealed = TwoEngines.connected(
        Secured.setting(SimConfig.mapped().withRails(2), Secured.SEALS, Secured.SEALS)
            .with(written));
    sealed.far.engine().landingMemory().take(() -> {}, 300_000);
    sealed.flow("large").sized(300_000).send(1).receive();
    sealed.await(() -> sealed.nearChannel.largeMessages() == 1);

    sealed.far.run(() -> {
      var region = sealed.farChannel.live().get(0).endpoint.expose(64, Access.REMOTE_WRITE);
      RendezvousReply grant = new RendezvousReply(0, 0, new Region(region.key(), 64, 0), 0, 64);
      sealed.near.run(() -> sealed.nearChannel.rendezvous().sends().onReply(1, grant));
    });
    sealed.await(
        () -> sealed.nearChannel.isClosed() || sealed.nearChannel.counters().endpointsLost() == 1);

    assertEquals(SessionLifecycle.State.ESTABLISHED, sealed.nearChannel.state());
  }

  /** Warnings of connections to unauthenticated peers. */
  @Nested
  class Warnings {

    /** Returns how often the log of the connecting side names the other side. */
    private static int warnings(Protection protection, Security security) {
      SimConfig network = SimConfig.rdma().withProtection(protection);
      Security acceptor = security.withUnauthenticated(true);
      TwoEngines engines = TwoEngines.connected(Secured.setting(network, security, acceptor));
      return engines.near.engine().refusals().named();
    }

    @ParameterizedTest
    @EnumSource(Protection.class)
    void connectionToAnUnauthenticatedPeerIsWarned(Protection protection) {
      int expected = protection == Protection.NONE ? 1 : 0;
      assertEquals(expected, warnings(protection, Security.DEFAULT));
    }

    @Test
    void secretOrExplicitPermissionSuppressesTheWarning() {
      assertEquals(0, warnings(Protection.NONE, Secured.KNOWS));
      assertEquals(0, warnings(Protection.NONE, Security.DEFAULT.withUnauthenticated(true)));
    }
  }
}
