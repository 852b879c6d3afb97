package io.railflux.message;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class BytesCodecTest {

  @Property
  void everyArrayRoundTrips(@ForAll byte[] value) {
    assertEquals(value.length, Codecs.bytes().maxEncodedBytes(value));
    assertArrayEquals(value, Slots.roundTrip(Codecs.bytes(), value));
  }

  @Property
  void everyBufferRoundTripsWithoutChangingItsSource(@ForAll byte[] value, @ForAll boolean direct) {
    int capacity = value.length + 5;
    ByteBuffer source =
        direct ? ByteBuffer.allocateDirect(capacity) : ByteBuffer.allocate(capacity);
    source.position(3).put(value).flip().position(3);

    ByteBuffer decoded = Slots.roundTrip(Codecs.byteBuffer(), source);

    assertEquals(ByteBuffer.wrap(value), decoded);
    assertEquals(3, source.position());
    assertEquals(3 + value.length, source.limit());
  }

  @Test
  void decodedBufferIsOwnedHeapMemory() {
    ByteBuffer decoded = Slots.decode(Codecs.byteBuffer(), (byte) 1, (byte) 0, (byte) 2);
    assertFalse(decoded.isDirect());
    assertFalse(decoded.isReadOnly());
    assertEquals(0, decoded.position());
    assertEquals(ByteOrder.LITTLE_ENDIAN, decoded.order());
    assertEquals(1, decoded.getShort());
  }

  @Test
  void readOnlySourcesCanBeSent() {
    ByteBuffer source = ByteBuffer.wrap(new byte[] {1, 2, 3}).asReadOnlyBuffer();
    assertArrayEquals(new byte[] {1, 2, 3}, Slots.encode(Codecs.byteBuffer(), source));
  }

  @Test
  void arraysAndBuffersHaveEqualEncodings() {
    assertEquals("bytes", Codecs.bytes().name());
    assertEquals("bytes", Codecs.byteBuffer().name());
  }
}
