package io.railflux.engine.path;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.engine.Flow;
import io.railflux.engine.TwoEngines;
import io.railflux.engine.TwoEngines.Setting;
import io.railflux.fabric.sim.SimConfig;
import io.railflux.metrics.RailStatus;
import io.railflux.metrics.RailStatus.State;
import io.railflux.policy.StripingPolicy;
import java.util.ArrayDeque;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Readings of paths: their state, and the share of each in the bytes of the last second. */
@Tag("MR1")
class LastSecondTest {

  private static final long SECOND = 1_000 * TwoEngines.MILLIS;

  private int chosen;
  private TwoEngines engines;

  private void connect(int rails) {
    // The far side accepts the session before it exists on the near side.
    ArrayDeque<StripingPolicy> policies =
        new ArrayDeque<>(List.of(StripingPolicy.binding(), (live, lengthBytes, marker) -> chosen));
    engines =
        TwoEngines.connected(Setting.of(SimConfig.tcp().withRails(rails)).with(policies::remove));
    // Readings have begun.
    engines.pass(SECOND / 2);
  }

  /** Sends no more than a path of unknown rate accepts. */
  private void send() {
    Flow flow = engines.flow("numbers").sized(4_000).send(12).receive();
    engines.await(flow::ended);
    engines.pass(SECOND / 2);
  }

  private RailStatus rail(int path) {
    return engines.nearChannel.rails().get(path);
  }

  @Test
  void sharesCountBytesOfTheLastSecond() {
    connect(2);
    chosen = 1;
    send();
    assertTrue(rail(1).load().share() > 0.9, () -> rail(1).toString());
    assertEquals(1, rail(0).load().share() + rail(1).load().share(), 1e-9);

    chosen = 0;
    engines.pass(SECOND);
    send();
    assertTrue(rail(0).load().share() > 0.9, () -> "counts earlier bytes: " + rail(0));
  }

  @Test
  void onlyPathCarriesEverything() {
    connect(1);

    assertEquals(1, rail(0).load().share());
  }

  @Test
  @Tag("FT2")
  void lostPathIsRecoveringUntilBothSidesKnowItsDeliveries() {
    connect(2);
    chosen = 1;
    engines.flow("numbers").sized(4_000).send(2_000).receive();
    engines.link(1).down();
    engines.await(() -> rail(1).state() != State.AVAILABLE);
    assertEquals(State.RECOVERING, rail(1).state());
    assertTrue(rail(1).toString().contains("recovering"), () -> rail(1).toString());

    engines.await(() -> rail(1).state() == State.UNAVAILABLE);
    assertTrue(rail(1).toString().contains("unavailable"), () -> rail(1).toString());
  }

  @Test
  @Tag("FT5")
  void noPathRecoversAfterTheEndOfTheSession() {
    connect(1);
    engines.link(0).down();
    engines.await(() -> rail(0).state() == State.RECOVERING);
    assertEquals(0, rail(0).load().share());
    engines.near.run(() -> engines.nearChannel.abort("the end"));

    engines.await(() -> engines.nearChannel.isClosed());
    assertEquals(State.UNAVAILABLE, rail(0).state());
  }
}
