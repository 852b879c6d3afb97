package io.railflux.fabric.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.railflux.Node;
import io.railflux.Peer;
import io.railflux.message.Codecs;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.publisher.Flux;

/** Streams from this process to another over an RDMA device. */
@Tag("CM4")
@Timeout(value = 180, unit = TimeUnit.SECONDS)
@ExtendWith({WhereVerbsWork.class, NothingNativeLeft.class})
class VerbsStreamTest {

  private static final Duration PATIENCE = Duration.ofMinutes(2);

  @ParameterizedTest
  @CsvSource({"64, 20000", "1048576, 64"})
  void messagesArriveWholeAndInOrder(int bytes, int count) throws Exception {
    Node node = StreamProcess.config("sender").start().block(PATIENCE);
    try (StreamProcess receiver = new StreamProcess()) {
      String host = Location.format(RailAddress.any(), receiver.port());
      Peer peer = StreamProcess.connect(node, "verbs:" + host);
      CRC32 checksum = new CRC32();
      long begun = System.nanoTime();
      peer.send("up", Codecs.bytes(), messages(bytes, count).doOnNext(checksum::update))
          .block(PATIENCE);
      double seconds = (System.nanoTime() - begun) / 1e9;

      assertEquals(StreamProcess.summary(count, checksum), receiver.received());
      System.out.printf(
          "%d messages of %d B: %.0f a second, %.1f MB/s%n",
          count, bytes, count / seconds, (double) bytes * count / seconds / 1e6);
    } finally {
      node.close().block(PATIENCE);
    }
  }

  /** Each different from the next, in every page. */
  static Flux<byte[]> messages(int bytes, int count) {
    return Flux.range(0, count).map(number -> {
      ByteBuffer message = ByteBuffer.allocate(bytes);
      while (message.remaining() >= Long.BYTES) {
        message.putLong((long) number << 32 | message.position());
      }
      return message.array();
    });
  }
}
