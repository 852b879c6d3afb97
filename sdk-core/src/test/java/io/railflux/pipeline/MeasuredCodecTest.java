package io.railflux.pipeline;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.buffer.MeasuringOutput;
import io.railflux.exceptions.MessageTooLargeException;
import io.railflux.message.Codec;
import io.railflux.message.Codecs;
import io.railflux.message.Envelope;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Sinks;

class MeasuredCodecTest {

  private static final int MAX_BYTES = 1 << 20;

  private int writes;

  private final Codec<byte[]> growing = Codecs.growing(
      "b",
      (value, target) -> {
        writes++;
        target.write(value);
      },
      source -> source.readAllBytes());

  private Codec<byte[]> measured() {
    return MeasuredCodec.of(growing, MAX_BYTES);
  }

  private static byte[] encoded(Codec<byte[]> codec, byte[] value, int bytes) {
    ByteBuffer slot = ByteBuffer.allocate(bytes);
    codec.encode(value, slot);
    byte[] encoded = new byte[slot.position()];
    slot.flip().get(encoded);
    return encoded;
  }

  @Test
  void codecsWithASizeAreUnchanged() {
    assertSame(Codecs.utf8(), MeasuredCodec.of(Codecs.utf8(), 1));
    Outgoing<String> plain = Outgoing.plain("n", Codecs.utf8());
    assertSame(plain, plain.forSubscription(1));
  }

  @Test
  void valueIsWrittenOnceForSeveralSizeRequests() {
    Codec<byte[]> codec = measured();
    byte[] value = {1, 2, 3};
    for (int i = 0; i < 3; i++) {
      assertEquals(3, codec.maxEncodedBytes(value));
    }
    assertArrayEquals(value, encoded(codec, value, 3));
    assertEquals(1, writes);
    value[0] = 9;
    assertEquals(3, codec.maxEncodedBytes(value));
    assertArrayEquals(new byte[] {9, 2, 3}, encoded(codec, value, 3));
    assertEquals(2, writes);
  }

  @Test
  void overtakenValueIsWrittenAgain() {
    Codec<byte[]> one = measured();
    Codec<byte[]> other = measured();
    byte[] first = {1};
    byte[] second = {2, 2};
    one.maxEncodedBytes(first);
    other.maxEncodedBytes(second);
    assertArrayEquals(first, encoded(one, first, 1));
    assertArrayEquals(second, encoded(other, second, 2));
    assertEquals(3, writes);
  }

  @Test
  void forgottenValueIsMeasuredAgain() {
    Codec<byte[]> codec = measured();
    byte[] value = {1};
    codec.maxEncodedBytes(value);
    MeasuredCodec.forget(codec);
    value[0] = 2;
    codec.maxEncodedBytes(value);
    assertArrayEquals(new byte[] {2}, encoded(codec, value, 1));
  }

  @Test
  void writerMayMeasureOtherValues() {
    Codec<byte[]> inner = measured();
    Codec<byte[]> outer = MeasuredCodec.of(
        Codecs.growing(
            "o",
            (value, target) -> {
              target.write(7);
              byte[] other = {8, 8};
              inner.maxEncodedBytes(other);
              assertArrayEquals(other, encoded(inner, other, 2));
              target.write(value);
            },
            source -> source.readAllBytes()),
        MAX_BYTES);
    byte[] value = {1};
    assertEquals(2, outer.maxEncodedBytes(value));
    assertArrayEquals(new byte[] {7, 1}, encoded(outer, value, 2));
  }

  @Test
  void failureIsNotKept() {
    List<RuntimeException> failures =
        new ArrayList<>(List.of(new IllegalStateException("expected")));
    Codec<byte[]> codec = MeasuredCodec.of(
        Codecs.growing(
            "f",
            (value, target) -> {
              target.write(value);
              if (!failures.isEmpty()) {
                throw failures.remove(0);
              }
            },
            source -> source.readAllBytes()),
        MAX_BYTES);
    byte[] value = {1};
    assertThrows(IllegalStateException.class, () -> codec.maxEncodedBytes(value));
    assertEquals(1, codec.maxEncodedBytes(value));
    assertArrayEquals(value, encoded(codec, value, 1));
  }

  @Test
  void limitIsExact() {
    Codec<byte[]> codec = measured();
    assertEquals(MAX_BYTES, codec.maxEncodedBytes(new byte[MAX_BYTES]));
    var refusal = assertThrows(
        MessageTooLargeException.class, () -> codec.maxEncodedBytes(new byte[MAX_BYTES + 1]));
    assertEquals(MAX_BYTES + 1, refusal.sizeBytes());
    assertEquals(MAX_BYTES, refusal.limitBytes());
  }

  @Test
  void keptMemoryIsBounded() {
    MeasuringOutput output = new MeasuringOutput(new byte[0], 5_000, Integer.MAX_VALUE);
    output.fill(target -> {
      for (int i = 0; i < 100_000; i++) {
        target.write(i);
        target.write(new byte[100]);
      }
    });
    assertEquals(10_100_000, output.bytes());
    assertTrue(output.memory().length <= 5_000, output.memory().length + " bytes");
  }

  /** A synchronous source may emit one instance for all values. One of them expired while it waited. */
  @Test
  void expiredValueIsNotMistakenForTheNextOne() {
    byte[] reused = {1};
    Envelope<byte[]> envelope = Envelope.of(reused).withTimeToLive(Duration.ofNanos(100));
    FakeSlots slots = new FakeSlots();
    slots.room = 0;
    List<String> got = new ArrayList<>();
    Sinks.Many<Envelope<byte[]>> source = Sinks.many().unicast().onBackpressureBuffer();
    Flux<Slot> encoded = new Encode<>(
        source.asFlux(),
        Enveloped.outgoing("n", growing, Map.of()).forSubscription(MAX_BYTES),
        slots);
    encoded.subscribe(slot -> {
      got.add(slot.expired ? "expired" : slot.bodyBytes + ":" + slot.buffer.get(slot.bodyOffset));
    });
    source.tryEmitNext(envelope).orThrow();
    slots.now += 1_000;
    slots.grant(1);
    reused[0] = 2;
    source.tryEmitNext(envelope).orThrow();

    assertEquals(List.of("expired", "1:2"), got);
  }
}
