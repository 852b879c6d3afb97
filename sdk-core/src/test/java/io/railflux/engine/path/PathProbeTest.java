package io.railflux.engine.path;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A further connection is tried under load, and is kept if all paths together move more with it. */
@Tag("MR8")
class PathProbeTest {

  private static final long RATE = 100;
  private static final long SECOND = 1_000_000_000;

  private static final class FakeTrial implements PathProbe.Trial {

    private final List<String> reports = new ArrayList<>();
    private boolean possible = true;
    private boolean there;
    private boolean lost;

    @Override
    public boolean begin() {
      reports.add(possible ? "begin" : "nowhere");
      there = false;
      lost = false;
      return possible;
    }

    @Override
    public boolean isConnected() {
      return there;
    }

    @Override
    public boolean isLost() {
      return lost;
    }

    @Override
    public void keep(String reason) {
      reports.add("keep: " + reason);
    }

    @Override
    public void drop(String reason) {
      there = false;
      reports.add("drop: " + reason);
    }
  }

  private final FakeTrial trial = new FakeTrial();
  private final PathProbe probe = new PathProbe(trial);
  private final LargeTraffic traffic = new LargeTraffic();
  private long now = Long.MIN_VALUE / 2;
  private final long begun = now;
  private int paths = 1;

  PathProbeTest() {
    probe.loadBegins(now);
  }

  private boolean tick(boolean busy, long bytes) {
    now += PathProbe.TICK_NANOS;
    traffic.moved(bytes);
    return probe.tick(now, traffic, busy, paths);
  }

  private void load(long nanos, long bytesATick) {
    for (long end = now + nanos; now < end; ) {
      // In a sufficient number of pieces.
      for (int i = 1; i < 10; i++) {
        traffic.moved(bytesATick / 10);
      }
      assertTrue(tick(true, bytesATick - 9 * (bytesATick / 10)));
    }
  }

  private void untilTried() {
    untilTried(RATE);
  }

  private void untilTried(long bytesATick) {
    load(PathProbe.LASTING_NANOS - lasted() - PathProbe.WATCH_NANOS, bytesATick);
    loadUntil(PathProbe.State.TRYING, PathProbe.SETTLE_NANOS + PathProbe.WATCH_NANOS, bytesATick);
    assertEquals("begin", lastReport());
  }

  /** Returns the duration of the load, up to the required one. */
  private long lasted() {
    return Math.min(now - begun, PathProbe.LASTING_NANOS);
  }

  /** Creates load until a state is reached, which takes the given time and a few ticks. */
  private void loadUntil(PathProbe.State state, long nanos, long bytesATick) {
    load(nanos - PathProbe.TICK_NANOS, bytesATick);
    for (int i = 0; i < 4 && probe.state() != state; i++) {
      load(PathProbe.TICK_NANOS, bytesATick);
    }
    assertEquals(state, probe.state());
  }

  private void untilMeasuring() {
    untilTried();
    trial.there = true;
    paths++;
    load(PathProbe.TICK_NANOS, RATE);
    assertEquals(PathProbe.State.MEASURING, probe.state());
  }

  private void measure(long bytesATick) {
    load(PathProbe.SETTLE_NANOS + PathProbe.MEASURE_NANOS - PathProbe.TICK_NANOS, bytesATick);
    for (int i = 0; i < 4 && probe.state() == PathProbe.State.MEASURING; i++) {
      load(PathProbe.TICK_NANOS, bytesATick);
    }
  }

  private String lastReport() {
    return trial.reports.get(trial.reports.size() - 1);
  }

  @Test
  void startsNoTrialBeforeALastingLoad() {
    load(PathProbe.LASTING_NANOS - SECOND, RATE);

    assertEquals(List.of(), trial.reports);
  }

  @Test
  void startsNoTrialForIntermittentLoad() {
    for (int i = 0; i < 10; i++) {
      load(PathProbe.LASTING_NANOS - SECOND, RATE);
      boolean mayContinue = true;
      while (mayContinue) {
        mayContinue = tick(false, 0);
      }
      now += SECOND;
      probe.loadBegins(now);
    }

    assertEquals(List.of(), trial.reports);
  }

  @Test
  void pausesOfALoadAreIgnored() {
    for (int i = 0; i < 120; i++) {
      tick(i % 2 == 0, RATE);
    }
    assertEquals(List.of(), trial.reports, "no two consecutive ticks observed a load");

    untilTried();
  }

  @Test
  void keepsAConnectionWithAGainOfATenth() {
    untilMeasuring();
    measure(RATE * 111 / 100);

    assertEquals("keep: 1.11 of the rate without it", lastReport());
    assertEquals(PathProbe.State.WATCHING, probe.state());
  }

  @Test
  void comparesTheNextConnectionWithTheKeptOnes() {
    untilMeasuring();
    measure(2 * RATE);
    untilTried(2 * RATE);
    trial.there = true;
    paths++;
    load(PathProbe.TICK_NANOS, 2 * RATE);
    measure(2 * RATE);

    assertEquals("drop: 1.00 of the rate without it", lastReport());
  }

  @Test
  void dropsAConnectionWithASmallerGain() {
    untilMeasuring();
    measure(RATE * 109 / 100);

    assertEquals("drop: 1.09 of the rate without it", lastReport());
    assertEquals(PathProbe.State.RESTING, probe.state());
  }

  @Test
  void ignoresTheFirstBytesOfANewPath() {
    untilMeasuring();
    load(PathProbe.SETTLE_NANOS, 1);
    loadUntil(PathProbe.State.WATCHING, PathProbe.MEASURE_NANOS, 2 * RATE);

    assertTrue(lastReport().compareTo("keep: 1.90") >= 0, this::lastReport);
  }

  @Test
  void requiresEnoughPiecesForARate() {
    for (int i = 0; i < 1_200; i++) {
      tick(true, i % 10 == 0 ? RATE : 0);
    }
    assertEquals(List.of(), trial.reports);

    for (int i = 0; i < 100; i++) {
      tick(true, i % 10 == 0 ? RATE : 0);
    }
    assertEquals(List.of("begin"), trial.reports);
  }

  @Test
  void pauseDoublesAfterATrialWithoutGain() {
    long rest = PathProbe.FIRST_REST_NANOS;
    for (int i = 0; i < 10; i++) {
      untilMeasuring();
      measure(RATE);
      paths--;
      load(rest - SECOND, RATE);
      assertEquals(PathProbe.State.RESTING, probe.state());
      loadUntil(PathProbe.State.WATCHING, SECOND, RATE);
      rest = Math.min(2 * rest, PathProbe.LONGEST_REST_NANOS);
    }
  }

  @Test
  void pauseIsShortAfterAKeptConnection() {
    untilMeasuring();
    measure(RATE);
    paths--;
    loadUntil(PathProbe.State.WATCHING, PathProbe.FIRST_REST_NANOS, RATE);
    untilMeasuring();
    measure(2 * RATE);
    untilMeasuring();
    measure(RATE);

    loadUntil(PathProbe.State.WATCHING, PathProbe.FIRST_REST_NANOS, RATE);
  }

  @Test
  void dropsAConnectionThatCannotBeEstablished() {
    untilTried();
    load(PathProbe.TRY_NANOS - SECOND, RATE);
    assertEquals(PathProbe.State.TRYING, probe.state());
    loadUntil(PathProbe.State.RESTING, SECOND, RATE);

    assertEquals("drop: it could not be established", lastReport());
  }

  @Test
  void dropsAConnectionThatTheUserRemoves() {
    untilTried();
    trial.lost = true;
    tick(true, RATE);

    assertEquals("drop: it was lost or removed", lastReport());
    assertEquals(PathProbe.State.RESTING, probe.state());
  }

  @Test
  void dropsALostConnection() {
    untilMeasuring();
    trial.lost = true;
    tick(true, RATE);

    assertEquals("drop: it was lost or removed", lastReport());
    assertEquals(PathProbe.State.RESTING, probe.state());
  }

  @Test
  void restsIfNoAddressAcceptsAnotherConnection() {
    trial.possible = false;
    load(PathProbe.LASTING_NANOS - PathProbe.WATCH_NANOS, RATE);
    loadUntil(PathProbe.State.RESTING, PathProbe.SETTLE_NANOS + PathProbe.WATCH_NANOS, RATE);

    assertEquals(List.of("nowhere"), trial.reports);
    assertEquals(PathProbe.State.RESTING, probe.state());
  }

  @Test
  void trialEndsWithTheLoad() {
    untilTried();
    untilTicksEnd();
    assertEquals("drop: the load ended before it was measured", lastReport());
    assertEquals(PathProbe.State.RESTING, probe.state());

    probe.loadBegins(now);
    loadUntil(PathProbe.State.WATCHING, PathProbe.FIRST_REST_NANOS, RATE);
    untilMeasuring();
    untilTicksEnd();
    assertEquals("drop: the load ended before it was measured", lastReport());
    assertEquals(PathProbe.State.RESTING, probe.state());
  }

  @Test
  void stalledLoadHasEnded() {
    untilTried();
    for (long end = now + PathProbe.STALL_NANOS - SECOND; now < end; ) {
      assertTrue(tick(true, 0));
    }
    for (int i = 0; i < 10 && tick(true, 0); i++) {
      // The bytes in flight do not move.
    }

    assertEquals(PathProbe.State.RESTING, probe.state());
    assertFalse(tick(true, 0));
  }

  private void untilTicksEnd() {
    int ticks = 0;
    while (tick(false, 0)) {
      ticks++;
    }
    assertTrue(ticks <= PathProbe.LOAD_ENDS_NANOS / PathProbe.TICK_NANOS);
  }

  @Test
  void changeOfOtherPathsEndsTheTrial() {
    untilMeasuring();
    paths--;
    tick(true, RATE);

    assertEquals("drop: other paths joined or were lost", lastReport());
    assertEquals(PathProbe.State.RESTING, probe.state());
  }

  @Test
  void changeOfOtherPathsEndsAPendingTrial() {
    untilTried();
    paths++;
    tick(true, RATE);
    assertEquals("drop: other paths joined or were lost", lastReport());

    loadUntil(PathProbe.State.WATCHING, PathProbe.FIRST_REST_NANOS, RATE);
    untilTried();
    paths += 2;
    trial.there = true;
    tick(true, RATE);
    assertEquals("drop: other paths joined or were lost", lastReport());
  }

  @Test
  void abortedTrialDoesNotExtendThePause() {
    for (int i = 0; i < 4; i++) {
      untilTried();
      paths++;
      tick(true, RATE);
      loadUntil(PathProbe.State.WATCHING, PathProbe.FIRST_REST_NANOS, RATE);
    }
  }

  @Test
  void changeOfPathsRestartsTheMeasurement() {
    load(2 * PathProbe.WATCH_NANOS - SECOND, RATE);
    paths++;
    load(PathProbe.WATCH_NANOS - SECOND, RATE);
    assertEquals(List.of(), trial.reports);

    loadUntil(PathProbe.State.TRYING, SECOND + PathProbe.SETTLE_NANOS, RATE);
  }
}
