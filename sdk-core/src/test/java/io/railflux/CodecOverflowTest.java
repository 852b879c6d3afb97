package io.railflux;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.exceptions.MessageTooLargeException;
import io.railflux.exceptions.RemoteStreamException;
import io.railflux.message.Codec;
import io.railflux.message.Codecs;
import io.railflux.message.Envelope;
import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The error of a codec whose value does not fit contains stream or route, codec, sizes and remedy. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class CodecOverflowTest {

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

  /** Declares a size and writes four bytes. */
  private record Stating(int maxBytes) implements Codec<Integer> {

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
      slot.putInt(value);
    }

    @Override
    public Integer decode(ByteBuffer slot) {
      return slot.getInt();
    }
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

  private static String overflow(String subject) {
    return "stream or route '" + subject + "': codec 'int32' overflowed the buffer:"
        + " encode wrote more than the 2 B that maxEncodedBytes returned";
  }

  private static Codec<Integer> codecBeyondItsDeclaration() {
    return new Stating(2);
  }

  private static void assertOverflow(String name, String errorText) {
    assertTrue(errorText.contains(overflow(name)), errorText);
  }

  @Test
  void reportsMoreBytesThanDeclared() {
    var received = received(Codecs.int32());

    var e = failure(IllegalStateException.class, sent(codecBeyondItsDeclaration()));
    assertOverflow("n", e.getMessage());
    assertInstanceOf(BufferOverflowException.class, e.getCause());
    assertOverflow("n", failure(RemoteStreamException.class, received).getMessage());
  }

  @Test
  void reportsMoreBytesThanDeclaredInARequest() {
    pair.server().respond(new Route<>("r", Codecs.int32(), Codecs.int32()), Mono::just);
    Route<Integer, Integer> route = new Route<>("r", codecBeyondItsDeclaration(), Codecs.int32());

    var e =
        failure(IllegalStateException.class, pair.toServer().request(route, 1).toFuture());
    assertOverflow("r", e.getMessage());
    Envelope<Integer> withHeaders = Envelope.of(1);
    e = failure(
        IllegalStateException.class, pair.toServer().request(route, withHeaders).toFuture());
    assertOverflow("r", e.getMessage());
  }

  @Test
  void reportsMoreBytesThanDeclaredInAReply() {
    pair.server()
        .respond(new Route<>("r", Codecs.int32(), codecBeyondItsDeclaration()), Mono::just);
    Route<Integer, Integer> route = new Route<>("r", Codecs.int32(), Codecs.int32());

    var e =
        failure(RemoteStreamException.class, pair.toServer().request(route, 1).toFuture());
    assertOverflow("r", e.getMessage());
  }

  @Test
  void reportsADeclarationBeyondTheMessageLimit() {
    var received = received(Codecs.int32());
    Codec<Integer> huge = new Stating(MAX_BYTES + 1);

    var e = failure(MessageTooLargeException.class, sent(huge));
    assertTrue(e.getMessage().contains("stream or route 'n'"), e.getMessage());
    failure(RemoteStreamException.class, received);
  }
}
