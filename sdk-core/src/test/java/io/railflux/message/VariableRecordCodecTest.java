package io.railflux.message;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.message.layout.ShapeComposer;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

// More than 400 lines: a specification with one test method for each statement.
class VariableRecordCodecTest {

  enum Side {
    BUY,
    SELL,
    CROSS {
      @Override
      public String toString() {
        return "constants may have bodies";
      }
    }
  }

  /** A later version of the program, with another order and one more constant. */
  static final class Later {

    enum Side {
      SHORT,
      CROSS,
      SELL,
      BUY
    }

    record Quote(int id, Later.Side side) {}
  }

  record Quote(int id, Side side) {}

  record Line(String sku, int quantity) {}

  record Order(
      long id,
      Side side,
      Optional<String> note,
      List<Line> lines,
      Map<String, BigDecimal> fees,
      Instant placed) {}

  @Retention(RetentionPolicy.RUNTIME)
  @Target(ElementType.TYPE_USE)
  @interface Nullable {}

  record Sparse(@Nullable String text, @Nullable Integer number, List<@Nullable String> texts) {}

  record Pair<T>(T left, T right) {}

  record Bindings(Pair<String> texts, Pair<List<? extends Number>> numbers) {}

  record Pairs(Pair<String> texts, Optional<Pair<Integer>> numbers, Pair<@Nullable Side> sides) {}

  record Tree(String name, List<Tree> children) {}

  record Chain(int id, Optional<Chain> next) {}

  record GenericTree<T>(T value, List<GenericTree<T>> children) {}

  record Trees(GenericTree<String> texts, GenericTree<Integer> numbers) {}

  record Key(int major, int minor) implements Comparable<Key> {

    @Override
    public int compareTo(Key other) {
      return major == other.major
          ? Integer.compare(minor, other.minor)
          : Integer.compare(major, other.major);
    }
  }

  record Keyed(Map<Key, Set<UUID>> ids) {}

  record Scalars(
      Boolean z,
      Byte b,
      Short s,
      Character c,
      Integer i,
      Long j,
      Float f,
      Double d,
      BigInteger integer,
      UUID id,
      Duration duration,
      LocalDate date,
      LocalTime time,
      LocalDateTime dateTime) {}

  @SuppressWarnings("ArrayRecordComponent") // The test is about arrays.
  record Arrays2(
      boolean[] z,
      byte[] b,
      short[] s,
      char[] c,
      int[] i,
      long[] j,
      float[] f,
      double[] d,
      String[] texts,
      int[][] grid,
      List<String>[] lists) {}

  static Order order() {
    return new Order(
        7,
        Side.SELL,
        Optional.of("grün"),
        List.of(new Line("a", 1), new Line("", -1)),
        Map.of("tax", new BigDecimal("12.50")),
        Instant.ofEpochSecond(1, 2));
  }

  private static <T> T roundTrip(Codec<T> codec, T value) {
    return Slots.roundTrip(codec, value);
  }

  @Test
  void nameContainsTheLayoutAndTheNamesOfComponents() {
    assertEquals(
        "record:Order(id=long,side=enum,note=?String,lines=[(sku=String,quantity=int)],"
            + "fees={String:BigDecimal},placed=Instant)",
        Codecs.record(Order.class).name());
    assertEquals(
        "record:Sparse(text=?String,number=?int,texts=[?String])",
        Codecs.record(Sparse.class).name());
    assertEquals(
        "record:Tree(name=String,children=[^0])", Codecs.record(Tree.class).name());
    assertEquals(
        "record:Keyed(ids={(major=int,minor=int):{UUID}})",
        Codecs.record(Keyed.class).name());
  }

  @Test
  void encodingIsStable() {
    assertEquals(
        "0700000000000000" + "0453454c4c" + "01056772c3bc6e" + "02" + "016101000000"
            + "00ffffffff" + "01" + "03746178" + "02000000" + "0204e2" + "0100000000000000"
            + "02000000",
        HexFormat.of().formatHex(Slots.encode(Codecs.record(Order.class), order())));
  }

  @Test
  void typicalRecordRoundTrips() {
    assertEquals(order(), roundTrip(Codecs.record(Order.class), order()));
  }

  @Test
  void scalarsRoundTrip() {
    Scalars value = new Scalars(
        true,
        (byte) -1,
        (short) -2,
        'ü',
        -3,
        -4L,
        1.5f,
        -2.5,
        BigInteger.TWO.pow(200).negate(),
        new UUID(1, -2),
        Duration.ofSeconds(-5, 6),
        LocalDate.MIN,
        LocalTime.MAX,
        LocalDateTime.MAX);
    assertEquals(value, roundTrip(Codecs.record(Scalars.class), value));
  }

  @Test
  void arraysRoundTrip() {
    @SuppressWarnings({"unchecked", "rawtypes"})
    List<String>[] lists = new List[] {List.of("x"), List.of()};
    Arrays2 value = new Arrays2(
        new boolean[] {true, false},
        new byte[] {1, 2},
        new short[] {3},
        new char[] {'x'},
        new int[] {4, 5},
        new long[0],
        new float[] {6},
        new double[] {7, 8},
        new String[] {"", "y"},
        new int[][] {{}, {9}},
        lists);
    Arrays2 back = roundTrip(Codecs.record(Arrays2.class), value);
    assertTrue(Arrays.deepEquals(components(value), components(back)));
  }

  private static Object[] components(Arrays2 of) {
    return new Object[] {of.z, of.b, of.s, of.c, of.i, of.j, of.f, of.d, of.texts, of.grid, of.lists
    };
  }

  @Test
  void onlyAnnotatedComponentsMayBeNull() {
    Sparse value = new Sparse(null, null, Arrays.asList("x", null));
    assertEquals(value, roundTrip(Codecs.record(Sparse.class), value));

    assertNullRefused(new Sparse("", 1, null), "component 'texts' of record");
    assertNullRefused(new Line(null, 1), "component 'sku' of record");
    assertNullRefused(new Tree("", Arrays.asList((Tree) null)), "component 'children' of record");
    assertNullRefused(new Quote(1, null), "component 'side' of record");
  }

  @SuppressWarnings("unchecked")
  private static <R extends Record> void assertNullRefused(R value, String words) {
    Codec<R> codec = Codecs.record((Class<R>) value.getClass());
    Exception refusal = assertThrows(NullPointerException.class, () -> Slots.encode(codec, value));
    assertTrue(refusal.getMessage().startsWith(words), refusal.getMessage());
    assertTrue(refusal.getMessage().contains("@Nullable"), refusal.getMessage());
  }

  @Test
  void genericRecordsAreBound() {
    Pairs value = new Pairs(
        new Pair<>("a", "b"), Optional.of(new Pair<>(1, 2)), new Pair<>(null, Side.CROSS));
    assertEquals(value, roundTrip(Codecs.record(Pairs.class), value));
    assertEquals(
        "record:Pairs(texts=(left=String,right=String),numbers=?(left=int,right=int),"
            + "sides=(left=?enum,right=?enum))",
        Codecs.record(Pairs.class).name());
    Trees trees = new Trees(
        new GenericTree<>("r", List.of(new GenericTree<>("c", List.of()))),
        new GenericTree<>(1, List.of()));
    assertEquals(trees, roundTrip(Codecs.record(Trees.class), trees));
  }

  @Test
  void comparableRecordsAreKeys() {
    Keyed value = new Keyed(Map.of(new Key(1, 2), Set.of(new UUID(3, 4))));
    assertEquals(value, roundTrip(Codecs.record(Keyed.class), value));
  }

  @Test
  void containersArriveUnmodifiable() {
    Order back = roundTrip(Codecs.record(Order.class), order());
    assertThrows(UnsupportedOperationException.class, () -> back.lines().clear());
    assertThrows(UnsupportedOperationException.class, () -> back.fees().clear());
    Keyed keyed = roundTrip(
        Codecs.record(Keyed.class), new Keyed(Map.of(new Key(1, 2), Set.of(new UUID(3, 4)))));
    assertThrows(
        UnsupportedOperationException.class,
        () -> keyed.ids().get(new Key(1, 2)).clear());
  }

  @Test
  void enumsAreSentByNameSoTheirOrderMayDiffer() {
    Codec<Quote> here = Codecs.record(Quote.class);
    Codec<Later.Quote> there = Codecs.record(Later.Quote.class);
    assertEquals(here.name(), there.name());
    for (Side side : Side.values()) {
      byte[] sent = Slots.encode(here, new Quote(1, side));
      assertEquals(side.name(), Slots.decode(there, sent).side().name());
    }
    byte[] unknown = Slots.encode(there, new Later.Quote(1, Later.Side.SHORT));
    assertRejected(
        here,
        unknown,
        "component 'side' of record",
        "has no constant 'SHORT'",
        Side.class.getName());
  }

  @Test
  void hostileNamesOfConstantsAreEscapedAndTruncated() {
    byte[] sent = new byte[4 + 2 + 200];
    sent[4] = (byte) (200 | 0x80);
    sent[5] = 1;
    Arrays.fill(sent, 6, sent.length, (byte) '\n');
    Exception refusal =
        assertRejected(Codecs.record(Quote.class), sent, "'" + "?".repeat(64) + "'");
    assertFalse(refusal.getMessage().contains("\n"));
  }

  @Test
  void recursiveRecordsHaveADepthLimit() {
    Codec<Chain> codec = Codecs.record(Chain.class);
    Chain deepest = chain(ShapeComposer.MAX_RECURSION);
    assertEquals(deepest, roundTrip(codec, deepest));

    Exception sent = assertThrows(
        IllegalArgumentException.class,
        () -> Slots.encode(codec, chain(ShapeComposer.MAX_RECURSION + 1)));
    assertTrue(sent.getMessage().contains("component 'next' of record"), sent.getMessage());
    byte[] hostile = new byte[1 << 20];
    Arrays.fill(hostile, (byte) 1);
    assertRejected(codec, hostile, "more than 256 deep");
  }

  private static Chain chain(int depth) {
    Chain chain = new Chain(depth, Optional.empty());
    for (int i = depth - 1; i >= 0; i--) {
      chain = new Chain(i, Optional.of(chain));
    }
    return chain;
  }

  record Numbers(List<Integer> numbers) {}

  record Texts(Map<String, String> texts) {}

  @SuppressWarnings("ArrayRecordComponent") // The test is about arrays.
  record Blob(byte[] bytes) {}

  record Distinct(Set<Integer> numbers) {}

  record Moment(Instant at) {}

  record Day(LocalDate at) {}

  record Big(BigInteger value) {}

  @Test
  void countsAreValidatedBeforeAllocation() {
    byte[] most = HexFormat.of().parseHex("ffffffff07" + "0000000000");
    for (Class<? extends Record> type :
        List.of(Numbers.class, Texts.class, Blob.class, Distinct.class, Tree.class, Big.class)) {
      assertRejected(Codecs.record(type), most, "2147483647", "5 B that are left");
    }
    for (String malformed : List.of("ffffffff0f", "ffffffffff01", "8000", "ffffffff10")) {
      assertRejected(Codecs.record(Numbers.class), HexFormat.of().parseHex(malformed), "malformed");
    }
  }

  @Test
  void rejectsMessagesThatAreTooShortOrTooLong() {
    Codec<Order> codec = Codecs.record(Order.class);
    byte[] whole = Slots.encode(codec, order());
    for (int length = 0; length < whole.length; length++) {
      assertRejected(codec, Arrays.copyOf(whole, length), "");
    }
    assertRejected(codec, Arrays.copyOf(whole, whole.length + 1), "has 1 behind the record");
    assertRejected(codec, Arrays.copyOf(whole, 10), "do not fit");
    assertRejected(codec, Arrays.copyOf(whole, 5), "a message of 5 bytes ends within the record");
  }

  @ParameterizedTest
  @ValueSource(strings = {"02" + "01000000" + "01000000", "03" + "020000000100000002000000"})
  void rejectsDuplicateElementsOfSets(String twice) {
    assertRejected(
        Codecs.record(Distinct.class), HexFormat.of().parseHex(twice), "came twice", "'numbers'");
  }

  @Test
  void rejectsDuplicateKeys() {
    assertRejected(
        Codecs.record(Texts.class),
        HexFormat.of().parseHex("02" + "01610162" + "01610163"),
        "'texts'");
  }

  @Test
  void rejectsTimesOutOfRange() {
    ByteBuffer time =
        ByteBuffer.wrap(Slots.encode(Codecs.record(Moment.class), new Moment(Instant.MAX)));
    for (int nanos : new int[] {-1, 1 << 30}) {
      assertRejected(
          Codecs.record(Moment.class),
          time.putInt(8, Integer.reverseBytes(nanos)).array(),
          "nanosecond");
    }
    byte[] far = new byte[12];
    Arrays.fill(far, 4, 8, (byte) 0x7f);
    assertRejected(Codecs.record(Moment.class), far, "Instant");
    assertRejected(Codecs.record(Day.class), Arrays.copyOf(far, 8), "LocalDate");
    assertRejected(Codecs.record(Big.class), new byte[1], "");
  }

  @Test
  void malformedTextIsReplacedAsInUtf8() {
    assertEquals(
        new Line("\ufffda", 0),
        Slots.decode(
            Codecs.record(Line.class),
            (byte) 2,
            (byte) 0xff,
            (byte) 'a',
            (byte) 0,
            (byte) 0,
            (byte) 0,
            (byte) 0));
    assertEquals(new Line("?", 0), roundTrip(Codecs.record(Line.class), new Line("\ud800", 0)));
  }

  @Test
  void textsOfEveryLengthStayWithinTheirBound() {
    Codec<Line> codec = Codecs.record(Line.class);
    for (String character : List.of("x", "ü", "€", "🚂")) {
      for (int length : new int[] {0, 1, 23, 24, 25, 42, 43, 127, 128, 256, 257, 5461, 20_000}) {
        Line value = new Line(character.repeat(length), length);
        assertEquals(value, roundTrip(codec, value));
      }
    }
  }

  @Test
  void reportsAListThatGrowsDuringEncoding() {
    List<Integer> numbers = new ArrayList<>(List.of(1));
    Codec<Numbers> codec = Codecs.record(Numbers.class);
    int claimed = codec.maxEncodedBytes(new Numbers(numbers));
    numbers.addAll(List.of(2, 3));
    Exception e = assertThrows(
        IllegalStateException.class,
        () -> codec.encode(new Numbers(numbers), ByteBuffer.allocate(claimed)));
    assertTrue(e.getMessage().contains("grew while"), e.getMessage());
  }

  record LongNames(
      List<Integer> aComponentWhoseNameIsRatherLong,
      List<Integer> anotherComponentWhoseNameIsRatherLong,
      List<Integer> aThirdComponentWhoseNameIsRatherLong,
      List<Integer> aFourthComponentWhoseNameIsRatherLong,
      List<Integer> aFifthComponentWhoseNameIsRatherLong,
      List<Integer> lastOfThemWhoseTypeIsAnother) {}

  static final class Other {

    record LongNames(
        List<Integer> aComponentWhoseNameIsRatherLong,
        List<Integer> anotherComponentWhoseNameIsRatherLong,
        List<Integer> aThirdComponentWhoseNameIsRatherLong,
        List<Integer> aFourthComponentWhoseNameIsRatherLong,
        List<Integer> aFifthComponentWhoseNameIsRatherLong,
        List<Long> lastOfThemWhoseTypeIsAnother) {}
  }

  @Test
  void longNameEndsInAStableHash() {
    String name = Codecs.record(LongNames.class).name();
    assertEquals(255, name.getBytes(UTF_8).length);
    assertTrue(name.startsWith("record:LongNames(aComponentWhoseNameIsRatherLong=[int],"), name);
    assertEquals("#72668ee5d64ab83a", name.substring(name.length() - 17));
    assertNotEquals(name, Codecs.record(Other.LongNames.class).name());
  }

  record WithObject(Object value) {}

  record WithDate(java.util.Date at) {}

  record WithArrayList(ArrayList<String> values) {}

  record WithRawList(@SuppressWarnings("rawtypes") List values) {}

  record WithWildcard(List<?> values) {}

  record Endless(int id, Endless next) {}

  record EndlessPair(Pair<EndlessPair> pair) {}

  record Nothing() {}

  record Nothings(List<Nothing> values) {}

  record PlainKey(int id) {}

  record WithPlainKeys(Map<PlainKey, String> values) {}

  record WithNullableKeys(Set<@Nullable String> values) {}

  record Growing<T>(Optional<Growing<List<T>>> next) {}

  record WithGrowing(Growing<String> growing) {}

  @Test
  void rejectsUnsupportedComponentsByNameWithARemedy() {
    assertRejected(WithObject.class, "'value'", "java.lang.Object", "write a Codec");
    assertRejected(WithDate.class, "'at'", "java.util.Date", "java.time");
    assertRejected(
        WithArrayList.class, "'values'", "java.util.ArrayList<java.lang.String>", "List");
    assertRejected(WithRawList.class, "'values'", "java.util.List without a type argument");
    assertRejected(WithWildcard.class, "'values'", "java.lang.Object");
    assertRejected(
        Pair.class, "'left'", "type variable T", "use it in a record that binds the type");
    assertRejected(Endless.class, "'next'", Endless.class.getName(), "@Nullable");
    assertRejected(Nothings.class, "'values'", Nothing.class.getName(), "takes no bytes");
    assertRejected(WithPlainKeys.class, "'values'", PlainKey.class.getName(), "Comparable");
    assertRejected(WithNullableKeys.class, "'values'", "nullable java.lang.String");
    Exception growing =
        assertThrows(IllegalArgumentException.class, () -> Codecs.record(WithGrowing.class));
    assertTrue(growing.getMessage().contains("ever other arguments"), growing.getMessage());
    Exception pair =
        assertThrows(IllegalArgumentException.class, () -> Codecs.record(EndlessPair.class));
    assertTrue(pair.getMessage().contains("contains itself"), pair.getMessage());
    Exception number =
        assertThrows(IllegalArgumentException.class, () -> Codecs.record(Bindings.class));
    assertTrue(number.getMessage().contains("java.lang.Number"), number.getMessage());
  }

  private static void assertRejected(Class<? extends Record> type, String... words) {
    Exception refusal = assertThrows(IllegalArgumentException.class, () -> Codecs.record(type));
    assertTrue(refusal.getMessage().contains(type.getName()), refusal.getMessage());
    for (String word : words) {
      assertTrue(refusal.getMessage().contains(word), refusal.getMessage());
    }
  }

  private static Exception assertRejected(Codec<?> codec, byte[] message, String... words) {
    Exception refusal =
        assertThrows(IllegalArgumentException.class, () -> Slots.decode(codec, message));
    for (String word : words) {
      assertTrue(refusal.getMessage().contains(word), refusal.getMessage());
    }
    return refusal;
  }

  @Test
  void emptyArraysOfBytesUseOneByte() {
    assertArrayEquals(new byte[1], Slots.encode(Codecs.record(Blob.class), new Blob(new byte[0])));
    assertNull(Slots.roundTrip(Codecs.record(Sparse.class), new Sparse(null, 1, List.of()))
        .text());
  }
}
