package io.railflux;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.railflux.message.Codec;
import io.railflux.message.Codecs;
import io.railflux.message.Flyweight;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A synchronous source may reuse one object: it is encoded before the next request. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class ReusedFlyweightTest {

  private static final int LENGTH_BYTES = 1000;

  /** Many times the capacity of the ring, so that messages wait for space. */
  private static final int COUNT = 20_000;

  private static final Codec<Numbered> CODEC =
      Codecs.flyweight("numbered", LENGTH_BYTES, Numbered::new);

  @RegisterExtension
  final LeakCheck leaks = new LeakCheck();

  @RegisterExtension
  final Nodes nodes = new Nodes(leaks);

  static final class Numbered implements Flyweight {

    private ByteBuffer buffer = ByteBuffer.allocate(LENGTH_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    private int offset;

    Numbered number(int number) {
      buffer.putInt(offset, number);
      return this;
    }

    int number() {
      return buffer.getInt(offset);
    }

    @Override
    public void wrap(ByteBuffer slot, int newOffset, int lengthBytes) {
      buffer = slot;
      offset = newOffset;
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
      return LENGTH_BYTES;
    }
  }

  static Stream<Flux<Numbered>> synchronousSources() {
    Numbered ofRange = new Numbered();
    Numbered ofGenerate = new Numbered();
    Flux<Numbered> generated = Flux.generate(() -> 0, (number, sink) -> {
      if (number == COUNT) {
        sink.complete();
      } else {
        sink.next(ofGenerate.number(number));
      }
      return number + 1;
    });
    return Stream.of(Flux.range(0, COUNT).map(ofRange::number), generated);
  }

  @ParameterizedTest
  @MethodSource("synchronousSources")
  void everyMessageHasItsEmittedContent(Flux<Numbered> source) {
    Nodes.Pair pair = nodes.pair(config -> config.ringBytes(64 << 10));
    Mono<Long> right = pair.toClient()
        .receive("numbers", CODEC)
        .map(Numbered::number)
        .index()
        .filter(indexed -> indexed.getT1() == indexed.getT2().longValue())
        .count();
    Mono<Void> sent = pair.toServer().send("numbers", CODEC, source);

    assertEquals(
        COUNT, Mono.zip(right, sent.thenReturn(true)).block(Nodes.PATIENCE).getT1());
  }
}
