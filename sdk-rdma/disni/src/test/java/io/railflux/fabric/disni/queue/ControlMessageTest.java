package io.railflux.fabric.disni.queue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ControlMessageTest {

  private static final int OFFSET = 64;

  private final ByteBuffer slot = ByteBuffer.allocate(2 * OFFSET).order(ByteOrder.LITTLE_ENDIAN);

  private void beginHasTheExpectedBytes() {
    ByteBuffer right = slot.slice(OFFSET, ControlMessage.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    ControlMessage.begin(right, MessageSlots.COUNT, MessageSlots.BYTES);
  }

  @Test
  void ownMessagesAreAccepted() {
    beginHasTheExpectedBytes();
    assertNull(ControlMessage.objection(slot, OFFSET, ControlMessage.BYTES));
  }

  @Test
  void rejectsAnyOtherLength() {
    beginHasTheExpectedBytes();
    for (int length = 0; length < ControlMessage.BYTES; length++) {
      assertFalse(ControlMessage.objection(slot, OFFSET, length).isBlank());
    }
  }

  /** Arbitrary or nearly valid bytes are rejected with a reason, or grant as many receives as this side needs. */
  @Test
  void arbitraryBytesAreAcceptedOrRejected() {
    Random random = new Random(1);
    int understood = 0;
    for (int i = 0; i < 100_000; i++) {
      beginHasTheExpectedBytes();
      for (int changes = random.nextInt(4); changes > 0; changes--) {
        slot.put(OFFSET + random.nextInt(ControlMessage.BYTES), (byte) random.nextInt());
      }
      String objection = ControlMessage.objection(slot, OFFSET, ControlMessage.BYTES);
      if (objection == null) {
        understood++;
        assertEquals(1, slot.get(OFFSET + 4));
        assertTrue(slot.getInt(OFFSET + 8) >= MessageSlots.COUNT);
        assertTrue(slot.getInt(OFFSET + 12) >= MessageSlots.BYTES);
      } else {
        assertFalse(objection.isBlank());
      }
    }
    assertTrue(understood > 1_000, "nearly valid messages are tried as well: " + understood);
  }
}
