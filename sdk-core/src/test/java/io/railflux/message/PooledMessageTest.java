package io.railflux.message;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.buffer.BufferPool;
import io.railflux.buffer.LeakDetection;
import io.railflux.buffer.PooledBuffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PooledMessageTest {

  private final BufferPool pool = new BufferPool("test", 256, LeakDetection.OFF);

  @AfterEach
  void nothingIsLeftLent() {
    assertEquals(0, pool.outstanding());
  }

  @Test
  void copySurvivesTheRingEntry() {
    ByteBuffer slot = Slots.slot((byte) 1, (byte) 0, (byte) 2);
    int start = slot.position();
    try (Message message =
        PooledMessage.copyOf("prices", Headers.empty().with("a", "1"), slot, pool)) {
      assertEquals(start, slot.position());
      slot.clear().put(start, new byte[] {9, 9, 9});
      assertEquals(3, message.lengthBytes());
      assertEquals(3, message.payload().remaining());
      assertEquals(ByteOrder.LITTLE_ENDIAN, message.payload().order());
      assertEquals(1, message.payload().getShort());
      assertEquals(2, message.payload().get());
      assertEquals("1", message.headers().text("a").orElseThrow());
      assertSame(message.payload(), message.payload());
    }
  }

  @Test
  void handedOverBufferIsReleasedByTheMessage() {
    PooledBuffer buffer = pool.tryAcquire(100);
    Message message = PooledMessage.owning("prices", Headers.empty(), buffer);
    assertEquals(100, message.lengthBytes());
    message.close();
    assertEquals(0, pool.outstanding());
    assertThrows(IllegalStateException.class, buffer::memory);
  }

  @Test
  void closingAgainDoesNothing() {
    Message message = PooledMessage.copyOf("prices", Headers.empty(), Slots.slot(), pool);
    message.close();
    try (Message other = PooledMessage.copyOf("prices", Headers.empty(), Slots.slot(), pool)) {
      message.close();
      assertEquals(1, pool.outstanding());
      assertEquals(0, other.lengthBytes());
    }
  }

  @Test
  void payloadAfterCloseNamesTheStream() {
    Message message = PooledMessage.copyOf("prices", Headers.empty(), Slots.slot((byte) 1), pool);
    message.close();
    Exception misuse = assertThrows(IllegalStateException.class, message::payload);
    assertEquals(
        "message of stream 'prices' is closed; use its payload before close()",
        misuse.getMessage());
    assertEquals(1, message.lengthBytes());
    assertEquals(Headers.empty(), message.headers());
  }

  @Test
  void exhaustedBudgetGivesNoMessage() {
    try (Message all =
        PooledMessage.copyOf("prices", Headers.empty(), ByteBuffer.allocate(256), pool)) {
      assertEquals(256, all.lengthBytes());
      assertNull(PooledMessage.copyOf("prices", Headers.empty(), Slots.slot(), pool));
    }
  }

  @Test
  void descriptionTellsStreamAndSize() {
    try (Message message =
        PooledMessage.copyOf("prices", Headers.empty(), Slots.slot((byte) 1), pool)) {
      assertTrue(message.toString().contains("stream=prices, 1 bytes"), message.toString());
    }
  }
}
