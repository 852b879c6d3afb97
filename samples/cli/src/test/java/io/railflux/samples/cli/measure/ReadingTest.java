package io.railflux.samples.cli.measure;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.samples.cli.shell.CommandFailure;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReadingTest {

  private static final int OFFSET = 16;
  private static final int BEYOND_THE_FILL = (1 << 20) + 8 + 3;

  private static ByteBuffer message(int sizeBytes, long number) {
    ByteBuffer memory = ByteBuffer.allocate(OFFSET + sizeBytes).order(ByteOrder.LITTLE_ENDIAN);
    Payload.put(Payload.fill(sizeBytes), memory, OFFSET, sizeBytes);
    return memory.putLong(OFFSET, number);
  }

  private static Reading reading(int sizeBytes) {
    return new Reading(Work.CHECKSUM, sizeBytes);
  }

  @ParameterizedTest
  @ValueSource(ints = {8, 13, 64, 1000, 4096, BEYOND_THE_FILL})
  void unchangedMessagesAreIntact(int sizeBytes) {
    for (long number : new long[] {0, 1, -1, Long.MAX_VALUE, 0x0123456789abcdefL}) {
      assertTrue(reading(sizeBytes).isIntact(message(sizeBytes, number), OFFSET));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {9, 64, 1003})
  void detectsAChangeOfAnyByte(int sizeBytes) {
    Reading reading = reading(sizeBytes);
    for (int i = Long.BYTES; i < sizeBytes; i++) {
      ByteBuffer message = message(sizeBytes, 7);
      message.put(OFFSET + i, (byte) (message.get(OFFSET + i) + 1));
      assertFalse(reading.isIntact(message, OFFSET), "byte " + i);
    }
  }

  @Test
  void detectsExchangedWords() {
    ByteBuffer message = message(64, 7);
    long second = message.getLong(OFFSET + 8);
    message.putLong(OFFSET + 8, message.getLong(OFFSET + 16)).putLong(OFFSET + 16, second);
    assertThrows(CommandFailure.class, () -> reading(64).read(message, OFFSET));
  }

  @Test
  void verifiesThePartsOfAMessageTogether() {
    Reading reading = reading(75);
    ByteBuffer message = message(75, 7);
    for (int times = 0; times < 2; times++) {
      reading.readPart(message, OFFSET, 32);
      reading.readPart(message, OFFSET + 32, 40);
      assertDoesNotThrow(() -> reading.readPart(message, OFFSET + 72, 3));
    }
    message.put(OFFSET + 40, (byte) 0);
    reading.readPart(message, OFFSET, 32);
    reading.readPart(message, OFFSET + 32, 40);
    assertThrows(CommandFailure.class, () -> reading.readPart(message, OFFSET + 72, 3));
  }

  @Test
  void touchReadsOneWordPerCacheLine() {
    ByteBuffer message = message(64, 7).put(OFFSET + 20, (byte) 0);
    assertTrue(new Reading(Work.TOUCH, 64).isIntact(message, OFFSET));
  }
}
