package io.railflux.message;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.railflux.message.VariableRecordCodecTest.Line;
import io.railflux.message.VariableRecordCodecTest.Order;
import io.railflux.message.VariableRecordCodecTest.Side;
import io.railflux.message.VariableRecordCodecTest.Sparse;
import io.railflux.message.VariableRecordCodecTest.Tree;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Every record round-trips within its claimed bound. */
class RecordRoundTripTest {

  @SuppressWarnings("ArrayRecordComponent") // The bytes are compared, not the records.
  record Shop(Tree tree, List<Order> orders, Map<Side, Optional<Sparse>> sparse, long[] ids) {}

  private static final Codec<Shop> SHOP = Codecs.record(Shop.class);

  private static Arbitrary<String> texts() {
    return Arbitraries.strings().ofMaxLength(40).filter(text -> !hasLoneSurrogate(text));
  }

  private static boolean hasLoneSurrogate(String text) {
    return text.codePoints()
        .anyMatch(c -> c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE);
  }

  private static Arbitrary<Tree> trees() {
    return Arbitraries.lazyOf(
        () -> texts().map(name -> new Tree(name, List.of())),
        () -> Combinators.combine(texts(), trees().list().ofMaxSize(3)).as(Tree::new));
  }

  private static Arbitrary<Order> orders() {
    Arbitrary<Line> lines = Combinators.combine(texts(), Arbitraries.integers()).as(Line::new);
    Arbitrary<BigDecimal> decimals = Arbitraries.bigDecimals().ofScale(5);
    Arbitrary<Instant> instants = Combinators.combine(
            Arbitraries.longs().between(Instant.MIN.getEpochSecond(), Instant.MAX.getEpochSecond()),
            Arbitraries.integers().between(0, 999_999_999))
        .as(Instant::ofEpochSecond);
    return Combinators.combine(
            Arbitraries.longs(),
            Arbitraries.of(Side.class),
            texts().optional(),
            lines.list().ofMaxSize(5),
            Arbitraries.maps(texts(), decimals).ofMaxSize(4),
            instants)
        .as(Order::new);
  }

  private static Arbitrary<Sparse> sparse() {
    return Combinators.combine(
            texts().injectNull(0.3),
            Arbitraries.integers().injectNull(0.3),
            texts().injectNull(0.3).list().ofMaxSize(4))
        .as(Sparse::new);
  }

  @Provide
  Arbitrary<Shop> shops() {
    return Combinators.combine(
            trees(),
            orders().list().ofMaxSize(3),
            Arbitraries.maps(Arbitraries.of(Side.class), sparse().optional()).ofMaxSize(3),
            Arbitraries.longs().array(long[].class).ofMaxSize(5))
        .as(Shop::new);
  }

  @Property(tries = 500)
  void nestedRecordsRoundTrip(@ForAll("shops") Shop shop) {
    Shop back = Slots.roundTrip(SHOP, shop);
    assertEquals(shop.tree(), back.tree());
    assertEquals(shop.orders(), back.orders());
    assertEquals(shop.sparse(), back.sparse());
    assertArrayEquals(shop.ids(), back.ids());
  }

  @Property(tries = 500)
  void garbledBytesDecodeOrAreRejected(
      @ForAll("shops") Shop shop, @ForAll int where, @ForAll byte with) {
    byte[] bytes = Slots.encode(SHOP, shop);
    bytes[Math.floorMod(where, bytes.length)] = with;
    HostileMessages.decode(SHOP, bytes);
  }
}
