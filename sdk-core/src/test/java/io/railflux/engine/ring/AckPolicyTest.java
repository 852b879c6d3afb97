package io.railflux.engine.ring;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Acknowledgements are sent soon, and together for many messages. */
@Tag("CH1")
class AckPolicyTest {

  private static final int RING_BYTES = 1 << 20;
  private static final int MUCH = AckPolicy.LITTLE_BYTES + 1;

  private static final long DETECT_NANOS = 500_000_000;

  private AckPolicy pace = new AckPolicy(RING_BYTES, DETECT_NANOS);
  private long now;

  @Test
  void fewMessagesAreAcknowledgedImmediately() {
    assertTrue(isDue(64, 0, 1));
    assertTrue(isDue(64 + AckPolicy.LITTLE_BYTES, 64, 1));
  }

  @Test
  void consecutiveMessagesAreAcknowledgedTogether() {
    assertFalse(isDue(MUCH, 0, 1));
    assertFalse(isDue(2 * MUCH, 0, 2));
    assertFalse(isDue(RING_BYTES / 8 - 1, 0, AckPolicy.MANY_FRAMES - 1));
  }

  @Test
  void cycleWithoutFurtherMessagesAcknowledges() {
    assertFalse(isDue(MUCH, 0, 1));
    assertTrue(isDue(MUCH, 0, 1));
  }

  @Test
  void unacknowledgedPartOfTheRingIsBounded() {
    assertTrue(isDue(RING_BYTES / 8, 0, 1));
  }

  @Test
  void numberOfUnacknowledgedFramesIsBounded() {
    assertTrue(isDue(MUCH, 0, AckPolicy.MANY_FRAMES));
  }

  @Test
  void acknowledgementWithoutBytesIsSentImmediately() {
    assertFalse(isDue(MUCH, 0, 1));
    assertTrue(isDue(MUCH, MUCH, 1));
  }

  @Test
  void messagesOfSlowCyclesAreAcknowledgedInTime() {
    assertFalse(isDue(MUCH, 0, 1));
    now += AckPolicy.WITHIN_NANOS - 1;
    assertFalse(isDue(MUCH + 64, 0, 2));
    now++;
    assertTrue(isDue(MUCH + 128, 0, 3));
    assertFalse(isDue(2 * MUCH + 192, MUCH + 128, 1));
    now += AckPolicy.WITHIN_NANOS;
    assertTrue(isDue(2 * MUCH + 256, MUCH + 128, 2));
  }

  @Test
  void shorterDetectionBoundAcknowledgesEarlier() {
    pace = new AckPolicy(RING_BYTES, 8_000_000);
    assertFalse(isDue(MUCH, 0, 1));
    now += 999_999;
    assertFalse(isDue(MUCH + 64, 0, 2));
    now++;
    assertTrue(isDue(MUCH + 128, 0, 3));
  }

  private boolean isDue(long consumed, long reported, long unreportedFrames) {
    return pace.isDue(now, consumed, reported, unreportedFrames);
  }
}
