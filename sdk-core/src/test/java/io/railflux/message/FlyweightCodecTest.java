package io.railflux.message;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class FlyweightCodecTest {

  /** A price in 12 bytes: instrument and ticks. */
  static final class Quote implements Flyweight {
    private ByteBuffer buffer;
    private int offset;
    private int lengthBytes;

    @Override
    public void wrap(ByteBuffer slot, int offset, int lengthBytes) {
      this.buffer = slot;
      this.offset = offset;
      this.lengthBytes = lengthBytes;
    }

    int instrument() {
      return buffer.getInt(offset);
    }

    long ticks() {
      return buffer.getLong(offset + 4);
    }

    @Override
    public ByteBuffer buffer() {
      return buffer;
    }

    @Override
    public int offset() {
      return offset;
    }

    @Override
    public int encodedLength() {
      return lengthBytes;
    }
  }

  private final Codec<Quote> codec = Codecs.flyweight("quote:1", 12, Quote::new);

  @Test
  void viewedBytesAreCopiedFromTheirPosition() {
    byte[] expected = {1, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0};
    assertArrayEquals(expected, Slots.encode(codec, quote(1, 7)));
    assertEquals("quote:1", codec.name());
    assertEquals(12, codec.maxEncodedBytes(quote(1, 7)));
  }

  @Test
  void oneInstanceIsWrappedOverEachMessageInPlace() {
    ByteBuffer first = Slots.slot(Slots.encode(codec, quote(1, 7)));
    Quote view = codec.decode(first);
    assertSame(first, view.buffer());
    assertEquals(1, view.instrument());
    assertEquals(7, view.ticks());

    Quote next = codec.decode(Slots.slot(Slots.encode(codec, quote(2, -9))));
    assertSame(view, next);
    assertEquals(2, view.instrument());
    assertEquals(-9, view.ticks());
  }

  @Test
  void eachEngineThreadHasItsOwnInstance() throws InterruptedException {
    Quote here = codec.decode(Slots.slot(new byte[12]));
    AtomicReference<Quote> there = new AtomicReference<>();
    Thread engine = new Thread(() -> there.set(codec.decode(Slots.slot(new byte[12]))));
    engine.start();
    engine.join();
    assertNotSame(here, there.get());
  }

  @Test
  void rejectsWrongLengthsOnBothSides() {
    Exception received =
        assertThrows(IllegalArgumentException.class, () -> Slots.decode(codec, new byte[13]));
    assertTrue(received.getMessage().contains("quote:1: a message of 13 bytes"));

    Quote tooLong = new Quote();
    tooLong.wrap(ByteBuffer.allocate(64), 0, 13);
    Exception sent =
        assertThrows(IllegalArgumentException.class, () -> Slots.encode(codec, tooLong));
    assertTrue(sent.getMessage().contains("views 13 bytes, expected 12"), sent.getMessage());
  }

  @Test
  void namesFitTheWireAndLengthsAreNotNegative() {
    for (String name : new String[] {"", "x".repeat(256), "€".repeat(86)}) {
      assertThrows(IllegalArgumentException.class, () -> Codecs.flyweight(name, 12, Quote::new));
    }
    assertThrows(IllegalArgumentException.class, () -> Codecs.flyweight("quote", -1, Quote::new));
    assertEquals(255, Codecs.flyweight("x".repeat(255), 0, Quote::new).name().length());
  }

  private static Quote quote(int instrument, long ticks) {
    ByteBuffer memory = ByteBuffer.allocate(40).order(ByteOrder.LITTLE_ENDIAN);
    memory.putInt(20, instrument).putLong(24, ticks);
    Quote quote = new Quote();
    quote.wrap(memory, 20, 12);
    return quote;
  }
}
