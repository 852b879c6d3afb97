package io.railflux.engine.ring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A ring counts bytes for its whole life. */
@Tag("CH1")
class OutgoingRingTest {

  private static final int SIZE = 1 << 30;
  private static final int STEP = SIZE / 2;

  @Test
  void positionsExceedTheRangeOfInt() {
    OutgoingRing ring = new OutgoingRing(SIZE);
    ring.advance(STEP);
    for (long written = STEP; written < 5L << 32; written += STEP) {
      assertEquals(written, ring.written());
      assertEquals(STEP, ring.occupied());
      assertEquals((int) (written % SIZE), ring.offset());
      assertTrue(ring.hasRoom(STEP, 0));
      ring.advance(STEP);

      assertFalse(ring.hasRoom(64, 0));
      assertFalse(ring.isValidCredit(written - STEP - 64));
      assertFalse(ring.isValidCredit(written + STEP + 64));
      assertTrue(ring.isValidCredit(written));
      assertTrue(ring.credit(written));
    }
  }
}
