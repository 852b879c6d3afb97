package io.railflux.policy;

import static io.railflux.policy.ChannelKind.DEDICATED_RING;
import static io.railflux.policy.ChannelKind.POOLED;
import static io.railflux.policy.ChannelKind.SHARED_RING;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The policies of the core, which choose the message channels of peers. */
@Tag("CM1")
class ChannelPolicyTest {

  private static final int IDLE_TICKS = 30;

  private final ChannelPolicy policy = ChannelPolicy.onDemand();
  private final RecordedTraffic traffic = new RecordedTraffic(policy, 2);

  @Test
  void moreThan16MessagesWithinATickGiveADedicatedRing() {
    assertEquals(List.of(POOLED, POOLED), traffic.received(16, 0));
    assertEquals(List.of(POOLED, POOLED), traffic.received(16, 16));
    assertEquals(List.of(DEDICATED_RING, POOLED), traffic.received(17, 16));
  }

  @Test
  void messagesOfBothDirectionsCount() {
    assertEquals(
        List.of(DEDICATED_RING, POOLED), traffic.tick(new long[] {8, 0}, new long[] {9, 16}));
  }

  @Test
  void aPeerWithoutMessagesReturnsToThePoolAfterTheIdleTime() {
    traffic.received(17, 17);
    for (int i = 1; i < IDLE_TICKS; i++) {
      assertEquals(List.of(DEDICATED_RING, DEDICATED_RING), traffic.received(0, 1));
    }
    assertEquals(List.of(POOLED, DEDICATED_RING), traffic.received(0, 1));
    assertEquals(List.of(DEDICATED_RING, DEDICATED_RING), traffic.received(17, 1));
  }

  /** The engine gives a larger channel to a peer whose message does not fit. */
  @Test
  void aRingThatTheNodeGaveReturnsToThePoolToo() {
    traffic.received(1, 1);
    traffic.choose(0, SHARED_RING);
    for (int i = 1; i < IDLE_TICKS; i++) {
      assertEquals(SHARED_RING, traffic.received(0, 1).get(0));
    }
    assertEquals(POOLED, traffic.received(0, 1).get(0));
  }

  @Test
  void aMessageRestartsTheIdleTime() {
    traffic.received(17, 0);
    for (int i = 0; i < 3 * IDLE_TICKS; i++) {
      assertEquals(
          DEDICATED_RING, traffic.received(i % (IDLE_TICKS - 1) == 0 ? 1 : 0, 0).get(0));
    }
  }

  @Test
  void aReusedNumberInheritsNoSilence() {
    ChannelPolicy onDemand = ChannelPolicy.onDemand(0, Duration.ofSeconds(2));
    RecordedTraffic one = new RecordedTraffic(onDemand, 1);
    one.received(1);
    one.received(0);
    one.replace(0);
    one.choose(0, DEDICATED_RING);

    assertEquals(List.of(DEDICATED_RING), one.received(0));
    assertEquals(List.of(POOLED), one.received(0));
  }

  @Test
  void theNodeBoundsTheDedicatedRings() {
    RecordedTraffic three = new RecordedTraffic(policy, 3).maxDedicated(2);

    assertEquals(List.of(DEDICATED_RING, DEDICATED_RING, POOLED), three.received(20, 20, 2_000));
    for (int i = 0; i < IDLE_TICKS; i++) {
      three.received(0, 20, 20);
    }
    assertEquals(List.of(POOLED, DEDICATED_RING, DEDICATED_RING), three.received(0, 20, 20));
  }

  @Test
  void parametersAreConfigurableAndShown() {
    RecordedTraffic one = new RecordedTraffic(ChannelPolicy.onDemand(2, Duration.ofMillis(1)), 1);

    assertEquals(List.of(POOLED), one.received(2));
    assertEquals(List.of(DEDICATED_RING), one.received(3));
    assertEquals(List.of(POOLED), one.received(0));
    assertEquals(
        "onDemand(messages 2, idle PT0.001S)",
        ChannelPolicy.onDemand(2, Duration.ofMillis(1)).toString());
    assertThrows(
        IllegalArgumentException.class, () -> ChannelPolicy.onDemand(-1, Duration.ofSeconds(1)));
    assertThrows(IllegalArgumentException.class, () -> ChannelPolicy.onDemand(16, Duration.ZERO));
  }

  @Test
  void anIdleTimeBeyondTheRangeOfNanosecondsNeverEnds() {
    ChannelPolicy onDemand = ChannelPolicy.onDemand(0, Duration.ofSeconds(Long.MAX_VALUE));
    RecordedTraffic one = new RecordedTraffic(onDemand, 1);
    one.received(1);

    assertEquals(List.of(DEDICATED_RING), one.received(0));
  }

  @Test
  void dedicatedRingsFromTheStartStay() {
    RecordedTraffic one = new RecordedTraffic(ChannelPolicy.dedicated(), 1);
    for (int i = 0; i <= IDLE_TICKS; i++) {
      assertEquals(List.of(DEDICATED_RING), one.received(0));
    }
  }
}
