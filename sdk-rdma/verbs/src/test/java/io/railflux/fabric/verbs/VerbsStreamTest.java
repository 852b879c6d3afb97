package io.railflux.fabric.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.railflux.Node;
import io.railflux.Peer;
import io.railflux.fabric.verbs.connect.Location;
import io.railflux.fabric.verbs.connect.RailAddress;
import io.railflux.message.Codecs;
import java.io.IOException;
import java.net.NetworkInterface;
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
@Timeout(value = 300, unit = TimeUnit.SECONDS)
@ExtendWith({WhereVerbsWork.class, NothingNativeLeft.class, OneReceiver.class})
class VerbsStreamTest {

  private static final Duration PATIENCE = Duration.ofMinutes(2);

  @ParameterizedTest
  @CsvSource({"64, 20000", "1048576, 64"})
  void messagesArriveCompletelyAndInOrder(int bytes, int count, StreamProcess receiver)
      throws Exception {
    String name = "sender-of-" + bytes;
    Node node = StreamProcess.config(name).start().block(PATIENCE);
    try {
      Peer peer = StreamProcess.connect(node, "verbs:" + address(receiver.port()));
      CRC32 checksum = new CRC32();
      long begun = System.nanoTime();
      peer.send("up", Codecs.bytes(), messages(bytes, count).doOnNext(checksum::update))
          .block(PATIENCE);
      double seconds = (System.nanoTime() - begun) / 1e9;

      assertEquals(StreamProcess.summary(count, checksum), receiver.receivedFrom(name));
      System.out.printf(
          "%d messages of %d B: %.0f a second, %.1f MB/s%n",
          count, bytes, count / seconds, (double) bytes * count / seconds / 1e6);
    } finally {
      node.close().block(PATIENCE);
    }
  }

  /** Returns the address of the other end of a wire, or of the device itself. */
  private static String address(int port) throws IOException {
    return NetworkInterface.getByName("rail0p") == null
        ? Location.format(RailAddress.any(), port)
        : "10.77.0.2:" + port + "@10.77.0.1";
  }

  /** Returns messages that differ in every page. */
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
