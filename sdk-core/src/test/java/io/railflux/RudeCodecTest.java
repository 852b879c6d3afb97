package io.railflux;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.exceptions.MessageTooLargeException;
import io.railflux.exceptions.RemoteStreamException;
import io.railflux.message.Codec;
import io.railflux.message.Codecs;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.ReadOnlyBufferException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.Exceptions;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Hooks;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** A codec that misuses its buffer or throws affects its own stream or request only. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
@SuppressWarnings("FutureReturnValueIgnored") // Each test inspects one side only.
class RudeCodecTest {

  @RegisterExtension
  final LeakCheck leaks = new LeakCheck();

  @RegisterExtension
  final Nodes nodes = new Nodes(leaks);

  private static final int MAX_BYTES = 4 << 20;

  private Nodes.Pair pair;

  @BeforeEach
  void connect() {
    pair = nodes.pair(config -> config.maxMessageBytes(MAX_BYTES));
  }

  /** Has the name {@code int32}, but another behavior. */
  private record Rude(
      int maxBytes, BiConsumer<Integer, ByteBuffer> encoder, Function<ByteBuffer, Integer> decoder)
      implements Codec<Integer> {

    @Override
    public String name() {
      return Codecs.int32().name();
    }

    @Override
    public int maxEncodedBytes(Integer value) {
      return maxBytes;
    }

    @Override
    public void encode(Integer value, ByteBuffer slot) {
      encoder.accept(value, slot);
    }

    @Override
    public Integer decode(ByteBuffer slot) {
      return decoder.apply(slot);
    }
  }

  private static Codec<Integer> encoding(BiConsumer<Integer, ByteBuffer> encoder) {
    return new Rude(4, encoder, ByteBuffer::getInt);
  }

  private static Codec<Integer> decoding(Function<ByteBuffer, Integer> decoder) {
    return new Rude(4, (value, slot) -> slot.putInt(value), decoder);
  }

  @SuppressWarnings("TypeParameterUnusedInFormals")
  private static <T> T thrown(Throwable t) {
    return RudeCodecTest.<RuntimeException, T>raise(t);
  }

  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <X extends Throwable, T> T raise(Throwable t) throws X {
    throw (X) t;
  }

  private CompletableFuture<Void> sent(Codec<Integer> codec) {
    return pair.toServer().send("n", codec, Flux.range(0, 3)).toFuture();
  }

  private CompletableFuture<List<Integer>> received(Codec<Integer> codec) {
    return pair.toClient().receive("n", codec).collectList().toFuture();
  }

  private static <E extends Throwable> E failure(Class<E> type, CompletableFuture<?> future) {
    var e = assertThrows(ExecutionException.class, () -> future.get(10, TimeUnit.SECONDS));
    return type.cast(e.getCause());
  }

  @AfterEach
  void otherStreamsOfThePeerGoOn() {
    var both = Mono.zip(
        pair.toClient().receive("alive", Codecs.int32()).collectList(),
        pair.toServer().send("alive", Codecs.int32(), Flux.just(1, 2)).thenReturn(true));
    assertEquals(List.of(1, 2), both.block(Nodes.PATIENCE).getT1());
  }

  static Stream<Throwable> throwables() {
    return Stream.of(
        new IllegalStateException("expected"),
        new AssertionError("expected"),
        new NoClassDefFoundError("expected"),
        new StackOverflowError("expected"));
  }

  @ParameterizedTest
  @MethodSource("throwables")
  void throwingWhenEncoding(Throwable rude) {
    received(Codecs.int32());

    failure(rude.getClass(), sent(encoding((value, slot) -> thrown(rude))));
  }

  @ParameterizedTest
  @MethodSource("throwables")
  void throwingWhenDecoding(Throwable rude) {
    sent(Codecs.int32());

    failure(rude.getClass(), received(decoding(slot -> thrown(rude))));
  }

  @ParameterizedTest
  @MethodSource("throwables")
  void throwingFromARequest(Throwable rude) {
    Codec<Integer> codec = encoding((value, slot) -> thrown(rude));
    pair.server().respond(new Route<>("r", Codecs.int32(), Codecs.int32()), Mono::just);
    Route<Integer, Integer> route = new Route<>("r", codec, Codecs.int32());

    failure(rude.getClass(), pair.toServer().request(route, 1).toFuture());
  }

  @ParameterizedTest
  @MethodSource("throwables")
  void throwingFromAReply(Throwable rude) {
    Codec<Integer> codec = decoding(slot -> thrown(rude));
    pair.server().respond(new Route<>("r", Codecs.int32(), Codecs.int32()), Mono::just);
    Route<Integer, Integer> route = new Route<>("r", Codecs.int32(), codec);

    failure(rude.getClass(), pair.toServer().request(route, 1).toFuture());
  }

  @ParameterizedTest
  @MethodSource("throwables")
  void throwingWhenEncodingAReplyIsReportedToReactorsHook(Throwable rude) {
    List<Throwable> reported = new CopyOnWriteArrayList<>();
    Hooks.onOperatorError("test", (error, value) -> {
      reported.add(error);
      return error;
    });
    try {
      Codec<Integer> codec = encoding((value, slot) -> thrown(rude));
      pair.server().respond(new Route<>("r", Codecs.int32(), codec), Mono::just);
      Route<Integer, Integer> route = new Route<>("r", Codecs.int32(), Codecs.int32());

      failure(RemoteStreamException.class, pair.toServer().request(route, 1).toFuture());
      // Reactor's operators do not report those either.
      assertEquals(!Exceptions.isFatal(rude), reported.contains(rude));
    } finally {
      Hooks.resetOnOperatorError("test");
    }
  }

  @Test
  void movingThePositionBack() {
    received(Codecs.int32());
    var sent = sent(encoding((value, slot) -> slot.position(slot.position() - 3)));

    String errorText = failure(IllegalStateException.class, sent).getMessage();
    assertTrue(errorText.contains("by -3") && errorText.contains("maximum of 4"), errorText);
  }

  @Test
  void movingThePositionBeyondItsLimit() {
    received(Codecs.int32());

    failure(
        IllegalStateException.class,
        sent(encoding((value, slot) -> slot.clear().position(slot.capacity()))));
  }

  @Test
  void returningANegativeSize() {
    received(Codecs.int32());

    failure(
        IllegalArgumentException.class,
        sent(new Rude(-1, (value, slot) -> slot.putInt(value), ByteBuffer::getInt)));
  }

  @Test
  void leavingTheBufferInAnotherByteOrder() throws Exception {
    var received = received(decoding(slot -> slot.order(ByteOrder.BIG_ENDIAN).getInt()));
    sent(encoding((value, slot) -> slot.order(ByteOrder.BIG_ENDIAN).putInt(value)));

    assertEquals(List.of(0, 1, 2), received.get(10, TimeUnit.SECONDS));
  }

  @Test
  void sendingOtherMessagesWhileEncoding() throws Exception {
    Route<Integer, Integer> echo = new Route<>("echo", Codecs.int32(), Codecs.int32());
    pair.server().respond(echo, Mono::just);
    List<Integer> replies = new CopyOnWriteArrayList<>();
    Sinks.Many<Integer> others = Sinks.many().unicast().onBackpressureBuffer();
    List<Integer> got = new CopyOnWriteArrayList<>();
    pair.toClient().receive("others", Codecs.int32()).subscribe(got::add);
    pair.toServer().send("others", Codecs.int32(), others.asFlux()).subscribe();
    others.tryEmitNext(-1);
    await().until(() -> got.equals(List.of(-1)));

    var received = received(Codecs.int32());
    var sent = sent(encoding((value, slot) -> {
      pair.toServer().request(echo, value).subscribe(replies::add);
      pair.toServer().receive("unknown" + value, Codecs.int32()).subscribe().dispose();
      others.tryEmitNext(value);
      slot.putInt(value);
    }));

    assertEquals(List.of(0, 1, 2), received.get(10, TimeUnit.SECONDS));
    sent.get(10, TimeUnit.SECONDS);
    await().until(() -> got.equals(List.of(-1, 0, 1, 2)));
    await().until(() -> replies.equals(List.of(0, 1, 2)));
  }

  @Test
  void openingOtherRoutesAndStreamsWhileEncodingARequest() throws Exception {
    Route<Integer, Integer> other = new Route<>("other", Codecs.int32(), Codecs.int32());
    pair.server().respond(other, Mono::just);
    pair.server().respond(new Route<>("r", Codecs.int32(), Codecs.int32()), Mono::just);
    var received = received(Codecs.int32());
    CompletableFuture<Integer> reply = new CompletableFuture<>();
    Codec<Integer> codec = encoding((value, slot) -> {
      pair.toServer().request(other, 2).subscribe(reply::complete);
      sent(Codecs.int32());
      slot.putInt(value);
    });
    // The route is known by then.
    Route<Integer, Integer> route = new Route<>("r", Codecs.int32(), Codecs.int32());
    assertEquals(0, pair.toServer().request(route, 0).block(Nodes.PATIENCE));

    Route<Integer, Integer> opening = new Route<>("r", codec, Codecs.int32());
    assertEquals(1, pair.toServer().request(opening, 1).block(Nodes.PATIENCE));
    assertEquals(2, reply.get(10, TimeUnit.SECONDS));
    assertEquals(List.of(0, 1, 2), received.get(10, TimeUnit.SECONDS));
  }

  @Test
  void largeRequestContinuesAfterFailedRequestsOfItsCodec() {
    int bytes = 1 << 20;
    Route<byte[], Integer> length = new Route<>("length", Codecs.bytes(), Codecs.int32());
    pair.server().respond(length, received -> Mono.just(received.length));
    Route<Integer, Integer> failing = new Route<>(
        "r",
        encoding((value, slot) -> thrown(new IllegalStateException("expected"))),
        Codecs.int32());
    List<Throwable> failures = new CopyOnWriteArrayList<>();
    Codec<byte[]> codec = new Codec<>() {
      @Override
      public String name() {
        return Codecs.bytes().name();
      }

      @Override
      public int maxEncodedBytes(byte[] value) {
        return value.length;
      }

      @Override
      public void encode(byte[] value, ByteBuffer slot) {
        slot.put(value, 0, value.length / 2);
        pair.toServer().request(failing, 1).subscribe(null, failures::add);
        pair.toServer().request(length, new byte[MAX_BYTES + 1]).subscribe(null, failures::add);
        slot.put(value, value.length / 2, value.length - value.length / 2);
      }

      @Override
      public byte[] decode(ByteBuffer slot) {
        throw new UnsupportedOperationException();
      }
    };
    Route<byte[], Integer> route = new Route<>("length", codec, Codecs.int32());

    assertEquals(bytes, pair.toServer().request(route, new byte[bytes]).block(Nodes.PATIENCE));
    assertEquals(
        List.of(IllegalStateException.class, MessageTooLargeException.class),
        failures.stream().map(Object::getClass).toList());
  }

  @Test
  void decodingNothing() {
    sent(Codecs.int32());

    failure(NullPointerException.class, received(decoding(slot -> null)));
  }

  @Test
  void writingWhereItShouldRead() {
    sent(Codecs.int32());
    var received = received(decoding(slot -> {
      slot.clear();
      return slot.put(0, (byte) 1).getInt();
    }));

    failure(ReadOnlyBufferException.class, received);
  }

  @Test
  void rejectsANameThatCannotBeSent() {
    Codec<byte[]> named = new Codec<>() {
      @Override
      public String name() {
        return "x".repeat(256);
      }

      @Override
      public int maxEncodedBytes(byte[] value) {
        return 0;
      }

      @Override
      public void encode(byte[] value, ByteBuffer slot) {}

      @Override
      public byte[] decode(ByteBuffer slot) {
        return new byte[0];
      }
    };
    failure(
        IllegalArgumentException.class,
        pair.toServer().send("n", named, Flux.just(new byte[0])).toFuture());
    failure(
        IllegalArgumentException.class,
        pair.toClient().receive("n", named).next().toFuture());
  }
}
