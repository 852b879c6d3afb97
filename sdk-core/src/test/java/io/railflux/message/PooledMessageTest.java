package io.railflux.message;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.buffer.BufferPool;
import io.railflux.buffer.LeakDetection;
import io.railflux.buffer.LoanAccount;
import io.railflux.buffer.PooledBuffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PooledMessageTest {

  private final BufferPool pool = new BufferPool("test", 256, LeakDetection.OFF);
  private final LoanAccount account = new LoanAccount("a message was dropped", () -> {});

  @AfterEach
  void everyLoanReturns() {
    assertEquals(0, pool.outstanding());
  }

  @Test
  void copySurvivesTheRingEntry() {
    ByteBuffer slot = Slots.slot((byte) 1, (byte) 0, (byte) 2);
    int start = slot.position();
    try (Message message = message(Headers.empty().with("a", "1"), slot)) {
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
    Message message = PooledMessage.owning("prices", Headers.empty(), buffer, account);
    assertEquals(100, message.lengthBytes());
    message.close();
    assertEquals(0, pool.outstanding());
    assertThrows(IllegalStateException.class, buffer::memory);
  }

  private Message message(Headers headers, ByteBuffer source) {
    return PooledMessage.copyOf("prices", headers, source, pool, account);
  }

  @Test
  void closingAgainDoesNothing() {
    Message message = message(Headers.empty(), Slots.slot());
    message.close();
    try (Message other = message(Headers.empty(), Slots.slot())) {
      message.close();
      assertEquals(1, pool.outstanding());
      assertEquals(0, other.lengthBytes());
    }
  }

  @Test
  void payloadAfterCloseNamesTheStream() {
    Message message = message(Headers.empty(), Slots.slot((byte) 1));
    message.close();
    Exception misuse = assertThrows(IllegalStateException.class, message::payload);
    assertEquals(
        "message of stream 'prices' is closed; use its payload before close()",
        misuse.getMessage());
    assertEquals(1, message.lengthBytes());
    assertEquals(Headers.empty(), message.headers());
  }

  @Test
  void requestedMessagesExceedTheBudget() {
    try (Message all = message(Headers.empty(), ByteBuffer.allocate(256));
        Message more = message(Headers.empty(), Slots.slot((byte) 1))) {
      assertEquals(256, all.lengthBytes());
      assertEquals(1, more.lengthBytes());
    }
    assertEquals(0, pool.outstandingBytes());
  }

  @Test
  void accountIsInUseUntilTheMessageIsClosed() {
    Message message = message(Headers.empty(), Slots.slot());
    assertTrue(account.isInUse());
    message.close();
    message.close();

    assertFalse(account.isInUse());
  }

  @Test
  void messageOfAWrittenOffAccountIsReadableUntilItIsClosed() {
    Message message = message(Headers.empty(), Slots.slot((byte) 7));
    account.writeOff();
    assertEquals(0, pool.outstandingBytes());
    try (Message other = PooledMessage.copyOf(
        "quotes",
        Headers.empty(),
        Slots.slot((byte) 9),
        pool,
        new LoanAccount("a message was dropped", () -> {}))) {
      assertEquals(7, message.payload().get(0));
      assertEquals(9, other.payload().get(0));
    }
    message.close();
    assertThrows(IllegalStateException.class, message::payload);
  }

  @Test
  void descriptionContainsStreamAndSize() {
    try (Message message = message(Headers.empty(), Slots.slot((byte) 1))) {
      assertTrue(message.toString().contains("stream=prices, 1 bytes"), message.toString());
    }
  }
}
