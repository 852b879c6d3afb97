package io.railflux.message;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class RecordCodecTest {

  record Trade(long id, double price, int quantity) {}

  private record Everything(boolean z, byte b, short s, char c, int i, long j, float f, double d) {}

  record Order(Trade trade, int venue, boolean urgent) {}

  record Empty() {}

  record Checked(int positive) {
    Checked {
      if (positive <= 0) {
        throw new IllegalArgumentException("not positive: " + positive);
      }
    }
  }

  @Test
  void nameContainsTheLayout() {
    assertEquals("record:Trade(JDI)", Codecs.record(Trade.class).name());
    assertEquals("record:Everything(ZBSCIJFD)", Codecs.record(Everything.class).name());
    assertEquals("record:Order((JDI)IZ)", Codecs.record(Order.class).name());
    assertEquals("record:Empty()", Codecs.record(Empty.class).name());
  }

  @Test
  void componentsArePackedLittleEndianInDeclarationOrder() {
    assertArrayEquals(
        new byte[] {
          8, 7, 6, 5, 4, 3, 2, 1, 0, 0, 0, 0, 0, 0, (byte) 0xf0, 0x3f, 4, 3, 2, 1, 1, 0, 0, 0, 1
        },
        Slots.encode(
            Codecs.record(Order.class),
            new Order(new Trade(0x0102030405060708L, 1.0, 0x01020304), 1, true)));
  }

  @Property
  void everyPrimitiveRoundTrips(@ForAll boolean z, @ForAll short s, @ForAll int i, @ForAll long j) {
    Everything value = new Everything(
        z, (byte) s, s, (char) s, i, j, Float.intBitsToFloat(i & 0x7f7fffff), (double) j);
    assertEquals(value, Slots.roundTrip(Codecs.record(Everything.class), value));
  }

  @Property
  void nestedRecordsRoundTrip(
      @ForAll long id, @ForAll double price, @ForAll int quantity, @ForAll int venue) {
    Order value = new Order(new Trade(id, price, quantity), venue, true);
    assertEquals(value, Slots.roundTrip(Codecs.record(Order.class), value));
  }

  @Test
  void recordWithoutComponentsUsesNoBytes() {
    assertEquals(0, Slots.encode(Codecs.record(Empty.class), new Empty()).length);
    assertEquals(new Empty(), Slots.decode(Codecs.record(Empty.class)));
  }

  @Test
  void rejectsAWrongLength() {
    Codec<Trade> codec = Codecs.record(Trade.class);
    for (int length : new int[] {0, 19, 21}) {
      Exception refusal =
          assertThrows(IllegalArgumentException.class, () -> Slots.decode(codec, new byte[length]));
      assertTrue(
          refusal.getMessage().contains("record:Trade(JDI): a message of " + length),
          refusal.getMessage());
    }
  }

  @Test
  void rejectsInvalidBooleans() {
    byte[] message = new byte[25];
    message[24] = 7;
    assertThrows(
        IllegalArgumentException.class, () -> Slots.decode(Codecs.record(Order.class), message));
  }

  @Property
  void anyBytesOfTheRightLengthDecodeOrAreRejected(@ForAll long a, @ForAll long b) {
    byte[] hostile = new byte[25];
    for (int i = 0; i < 8; i++) {
      hostile[i + 8] = (byte) (a >> (8 * i));
      hostile[i + 17] = (byte) (b >> (8 * i));
    }
    try {
      Slots.decode(Codecs.record(Order.class), hostile);
    } catch (IllegalArgumentException refused) {
      assertTrue(refused.getMessage().length() > 10);
    }
  }

  @Test
  void constructorsCanRejectValues() {
    Codec<Checked> codec = Codecs.record(Checked.class);
    Exception refusal =
        assertThrows(IllegalArgumentException.class, () -> Slots.decode(codec, new byte[4]));
    assertEquals("not positive: 0", refusal.getMessage());
  }

  @Test
  void namesNullComponents() {
    Codec<Order> codec = Codecs.record(Order.class);
    Exception noTrade = assertThrows(
        NullPointerException.class, () -> Slots.encode(codec, new Order(null, 1, false)));
    assertTrue(noTrade.getMessage().startsWith("component 'trade' of record"));
  }

  @Test
  void rejectsRecordsOfClosedPackagesWithTheRemedy() throws ClassNotFoundException {
    // A record of a package that java.base does not open.
    String name = "jdk.internal.misc.ThreadTracker$ThreadRef";
    Class<?> closed = Class.forName(name, false, null);
    assertRejected(
        closed.asSubclass(Record.class),
        "is not accessible; add 'opens jdk.internal.misc;' to the module-info of module java.base");
  }

  @Test
  void codecIsThreadSafe() throws InterruptedException {
    Codec<Trade> codec = Codecs.record(Trade.class);
    Thread[] threads = new Thread[3];
    boolean[] right = new boolean[threads.length];
    for (int t = 0; t < threads.length; t++) {
      int seed = t;
      threads[t] = new Thread(() -> {
        boolean all = true;
        for (int i = 0; i < 2000; i++) {
          Trade trade = new Trade(seed, i, seed + i);
          all &= trade.equals(Slots.roundTrip(codec, trade));
        }
        right[seed] = all;
      });
      threads[t].start();
    }
    for (int t = 0; t < threads.length; t++) {
      threads[t].join();
      assertTrue(right[t], "thread " + t);
    }
  }

  private static void assertRejected(Class<? extends Record> type, String words) {
    Exception refusal = assertThrows(IllegalArgumentException.class, () -> Codecs.record(type));
    assertTrue(refusal.getMessage().contains(words), refusal.getMessage());
    assertTrue(refusal.getMessage().contains(type.getName()), refusal.getMessage());
  }
}
