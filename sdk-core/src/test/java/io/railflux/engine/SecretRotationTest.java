package io.railflux.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.engine.base.Security;
import io.railflux.engine.session.SessionLifecycle;
import io.railflux.engine.session.VirtualChannel;
import io.railflux.fabric.sim.SimConfig;
import io.railflux.security.SecretSource;
import org.junit.jupiter.api.Test;

/** Secrets change while nodes run, without a restart and without an interval in which no peer can connect. */
class SecretRotationTest {

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
