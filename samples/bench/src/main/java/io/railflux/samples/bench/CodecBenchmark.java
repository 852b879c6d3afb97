package io.railflux.samples.bench;

import io.railflux.message.Codec;
import io.railflux.message.Codecs;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** The built-in codecs. Each runs in a separate JVM, as in a program that uses only one. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class CodecBenchmark {

  private static final int MAX_BYTES = 1024;
  private static final String TEXT =
      "64 characters of which most are plain and a few are not: é ü ß…";

  /** A record of primitives, 29 bytes on the wire. */
  public record Trade(long id, double price, int quantity, boolean buy, long timeNanos) {}

  /** As {@link Trade}, with an enum, 32 or 33 bytes. */
  public record SidedTrade(long id, double price, int quantity, Side side, long timeNanos) {}

  /** A typical message of a service, 98 bytes on the wire. */
  public record Order(
      long id,
      String customer,
      Side side,
      Optional<String> note,
      List<Line> lines,
      BigDecimal total,
      Instant placed) {}

  /** A part of an {@link Order}. */
  public record Line(String sku, int quantity) {}

  /** An enum within a record. */
  public enum Side {
    BUY,
    SELL
  }

  @Param({"int64", "utf8", "bytes", "record", "enum", "order", "flyweight"})
  public String codec;

  private final ByteBuffer slot =
      ByteBuffer.allocateDirect(MAX_BYTES).order(ByteOrder.LITTLE_ENDIAN);
  private Sample<?> sample;

  /** A codec and one of its values. */
  private record Sample<T>(Codec<T> codec, T value) {

    int encode(ByteBuffer slot) {
      slot.clear().limit(codec.maxEncodedBytes(value));
      codec.encode(value, slot);
      return slot.position();
    }
  }

  @Setup
  public void choose() {
    sample = switch (codec) {
      case "int64" -> new Sample<>(Codecs.int64(), 42L);
      case "utf8" -> new Sample<>(Codecs.utf8(), TEXT);
      case "bytes" -> new Sample<>(Codecs.bytes(), new byte[64]);
      case "record" -> new Sample<>(Codecs.record(Trade.class), new Trade(1, 2.5, 3, true, 4));
      case "enum" ->
        new Sample<>(Codecs.record(SidedTrade.class), new SidedTrade(1, 2.5, 3, Side.SELL, 4));
      case "order" -> new Sample<>(Codecs.record(Order.class), order());
      case "flyweight" -> new Sample<>(Tick.CODEC, Tick.of(1, 2.5));
      default -> throw new IllegalArgumentException(codec);
    };
    slot.limit(sample.encode(slot)).position(0);
  }

  private static Order order() {
    return new Order(
        1,
        "a customer of 24 letters",
        Side.BUY,
        Optional.of("leave at the door"),
        List.of(new Line("4711-A", 2), new Line("4712-B", 1)),
        new BigDecimal("129.90"),
        Instant.EPOCH);
  }

  @Benchmark
  public int encode() {
    return sample.encode(slot);
  }

  /** Decodes the bytes that {@link #choose} encoded. */
  @Benchmark
  public Object decode() {
    return sample.codec().decode(slot.position(0));
  }
}
