package io.railflux.message;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class GrowingCodecsTest {

  private static final Codec<byte[]> BYTES =
      Codecs.growing("b", (value, target) -> target.write(value), source -> source.readAllBytes());

  @Test
  void otherCodecsCanUseGrowingCodecs() {
    byte[] value = {1, 2, 3};
    assertEquals("b", BYTES.name());
    assertEquals(3, BYTES.maxEncodedBytes(value));
    assertArrayEquals(value, Slots.roundTrip(BYTES, value));
    assertArrayEquals(new byte[0], Slots.roundTrip(BYTES, new byte[0]));
  }

  @Test
  void exceptionOfTheWriterPropagates() {
    IOException failure = new IOException("expected");
    Codec<Integer> broken = Codecs.growing(
        "b",
        (value, target) -> {
          throw failure;
        },
        InputStream::read);
    var e = assertThrows(UncheckedIOException.class, () -> broken.maxEncodedBytes(1));
    assertEquals(failure, e.getCause());
  }

  @Test
  void sourceEndsWithTheMessageAndWithTheCall() throws IOException {
    AtomicReference<InputStream> kept = new AtomicReference<>();
    Codec<Integer> reading = Codecs.growing("b", (value, target) -> {}, source -> {
      kept.set(source);
      assertEquals(4, source.available());
      assertEquals(0xff, source.read());
      assertEquals(1, source.skip(1));
      assertEquals(0, source.read(new byte[0]));
      byte[] rest = new byte[10];
      assertEquals(2, source.read(rest, 1, 9));
      assertArrayEquals(new byte[] {0, 3, 4, 0}, java.util.Arrays.copyOf(rest, 4));
      assertEquals(0, source.skip(5));
      assertEquals(-1, source.read(rest));
      return source.read();
    });
    assertEquals(-1, Slots.decode(reading, (byte) -1, (byte) 2, (byte) 3, (byte) 4));
    assertThrows(IllegalStateException.class, () -> kept.get().read());
  }

  @Test
  void rejectsNamesThatCannotBeSent() {
    for (String name : new String[] {"", "x".repeat(256)}) {
      Exception refusal = assertThrows(
          IllegalArgumentException.class,
          () -> Codecs.growing(name, (value, target) -> {}, InputStream::read));
      assertTrue(refusal.getMessage().contains("1 to 255"), refusal.getMessage());
    }
  }
}
