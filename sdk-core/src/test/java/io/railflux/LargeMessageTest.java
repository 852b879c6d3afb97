package io.railflux;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.OperatingSystemMXBean;
import io.railflux.exceptions.DeliveryUnknownException;
import io.railflux.exceptions.StreamCancelledException;
import io.railflux.message.Codecs;
import io.railflux.message.Message;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Messages larger than any ring, over real shared memory, through the public API. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
@Tag("RV1")
class LargeMessageTest {

  private static final int MIB = 1 << 20;
  private static final Duration LONG = Duration.ofSeconds(60);

  @RegisterExtension
  final LeakCheck leaks = new LeakCheck();

  @RegisterExtension
  final Nodes nodes = new Nodes(leaks);

  /** Content in which every position differs, as little-endian words. */
  private static ByteBuffer patterned(int bytes, long seed) {
    ByteBuffer buffer = ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN);
    for (int at = 0; at + Long.BYTES <= bytes; at += Long.BYTES) {
      buffer.putLong(at, word(seed, at));
    }
    return buffer;
  }

  private static long word(long seed, int at) {
    return (seed * 31 + at) * 0x9E3779B97F4A7C15L;
  }

  private static void assertPatterned(ByteBuffer buffer, int bytes, long seed) {
    assertEquals(bytes, buffer.remaining());
    int start = buffer.position();
    for (int at = 0; at + Long.BYTES <= bytes; at += Long.BYTES) {
      if (buffer.getLong(start + at) != word(seed, at)) {
        throw new AssertionError("byte " + at + " of message " + seed + " is damaged");
      }
    }
  }

  private static void assertArrivesIntact(Nodes.Pair pair, int bytes) {
    var received = pair.toClient()
        .receiveMessages("big")
        .doOnNext(message -> {
          assertPatterned(message.payload(), bytes, 7);
          message.close();
        })
        .count();
    var sent = pair.toServer().send("big", Codecs.byteBuffer(), Flux.just(patterned(bytes, 7)));

    assertEquals(1L, Mono.zip(received, sent.thenReturn(true)).block(LONG).getT1());
  }

  @Test
  void messageOf64MebibytesArrivesIntact() {
    assertArrivesIntact(nodes.pair(), 64 * MIB);
  }

  @Test
  @Tag("deep")
  void messageOfOneGibibyteArrivesIntact() {
    long needed = 5L << 30;
    var machine = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    assumeTrue(
        machine.getFreeMemorySize() > needed && Runtime.getRuntime().maxMemory() > needed / 2,
        () -> "needs " + (needed >> 30) + " GiB of free memory and a heap limit of half of that");
    assertArrivesIntact(nodes.pair(), 1 << 30);
  }

  @Test
  void largeMessagesOfAStreamArriveInOrderWithinTheBudget() {
    Nodes.Pair pair = nodes.pair(c -> c.receiveBudgetBytes(8 * MIB).sendBudgetBytes(8 * MIB));
    AtomicLong next = new AtomicLong();
    long[] most = {0};
    var received = pair.toClient()
        .receive("values", Codecs.byteBuffer())
        .doOnNext(buffer -> {
          assertPatterned(buffer, MIB, next.getAndIncrement());
          most[0] = Math.max(most[0], pair.server().engine().largeMessageBytes());
        })
        .count();
    var values = Flux.range(0, 200).map(i -> patterned(MIB, i));
    var sent = pair.toServer().send("values", Codecs.byteBuffer(), values);

    assertEquals(200L, Mono.zip(received, sent.thenReturn(true)).block(LONG).getT1());
    assertTrue(most[0] > 0 && most[0] <= 8 * MIB, "used up to " + most[0] + " B");
  }

  @Test
  void slicesOfUserMemoryAreSentInPlace() {
    Nodes.Pair pair = nodes.pair();
    ByteBuffer whole = patterned(16 * MIB, 0);
    AtomicLong place = new AtomicLong();
    var received = pair.toClient()
        .receiveMessages("slices")
        .doOnNext(message -> {
          long offset = place.getAndAdd(MIB);
          assertEquals(word(0, (int) offset), message.payload().getLong(0));
          assertEquals(word(0, (int) offset + MIB - 8), message.payload().getLong(MIB - 8));
          message.close();
        })
        .count();
    long[] most = {0};
    var slices = Flux.range(0, 16)
        .doOnNext(i -> most[0] = Math.max(most[0], pair.client().engine().largeMessageBytes()))
        .map(i -> whole.slice(i * MIB, MIB));
    var sent = pair.toServer().send("slices", Codecs.byteBuffer(), slices);

    assertEquals(16L, Mono.zip(received, sent.thenReturn(true)).block(LONG).getT1());
    assertEquals(0, most[0], "copied before the send");
    assertEquals(0, whole.position());
  }

  @Test
  void encodedValuesMayBeLarge() {
    Nodes.Pair pair = nodes.pair();
    byte[] large = new byte[3 * MIB];
    Arrays.fill(large, (byte) 42);
    var received = pair.toClient().receive("bytes", Codecs.bytes()).collectList();
    var sent = pair.toServer()
        .send("bytes", Codecs.bytes(), Flux.just(new byte[] {1}, large, new byte[] {2}));

    List<byte[]> got = Mono.zip(received, sent.thenReturn(true)).block(LONG).getT1();
    assertEquals(3, got.size());
    assertEquals(1, got.get(0)[0]);
    assertTrue(Arrays.equals(large, got.get(1)));
    assertEquals(2, got.get(2)[0]);
  }

  @Test
  void requestsAndRepliesMayBeLarge() {
    Nodes.Pair pair = nodes.pair();
    Route<byte[], byte[]> twice = new Route<>("twice", Codecs.bytes(), Codecs.bytes());
    pair.server().respond(twice, bytes -> Mono.just(Arrays.copyOf(bytes, 2 * bytes.length)));
    byte[] request = new byte[8 * MIB];
    request[8 * MIB - 1] = 5;

    byte[] reply = pair.toServer().request(twice, request).block(LONG);
    assertEquals(16 * MIB, reply.length);
    assertEquals(5, reply[8 * MIB - 1]);
    assertEquals(2, pair.toServer().request(twice, new byte[1]).block(LONG).length);
  }

  @Test
  void cancellationDuringTransferReleasesEverything() {
    Nodes.Pair pair = nodes.pair();
    var sent = pair.toServer()
        .send("endless", Codecs.byteBuffer(), Flux.range(0, 100_000).map(i -> patterned(MIB, i)))
        .toFuture();
    pair.toClient().receiveMessages("endless").take(5).doOnNext(Message::close).blockLast(LONG);

    assertInstanceOf(StreamCancelledException.class, failure(sent));
    await().atMost(LONG).until(() -> held(pair) == 0);
    assertArrivesIntact(pair, 2 * MIB);
  }

  private static long held(Nodes.Pair pair) {
    return pair.server().engine().largeMessageBytes() + pair.client().engine().largeMessageBytes();
  }

  private static Throwable failure(CompletableFuture<?> future) {
    return assertThrows(
            CompletionException.class,
            () -> future.orTimeout(30, TimeUnit.SECONDS).join())
        .getCause();
  }

  @Test
  void keptMessagesPauseTheirProducer() {
    Nodes.Pair pair = nodes.pair(config -> config.receiveBudgetBytes(4 * MIB));
    List<Message> kept = new ArrayList<>();
    AtomicLong taken = new AtomicLong();
    pair.toServer()
        .send(
            "kept",
            Codecs.byteBuffer(),
            Flux.range(0, 50).map(i -> patterned(MIB, i)).doOnNext(b -> taken.incrementAndGet()))
        .subscribe();
    pair.toClient().receiveMessages("kept").subscribe(message -> {
      synchronized (kept) {
        kept.add(message);
      }
    });
    await().atMost(LONG).until(() -> kept.size() == 4);
    assertTrue(pair.server().engine().largeMessageBytes() <= 4 * MIB);
    int closed = 0;
    while (closed < 50) {
      int wanted = closed + 1;
      await().atMost(LONG).until(() -> kept.size() >= wanted);
      synchronized (kept) {
        assertPatterned(kept.get(closed).payload(), MIB, closed);
        kept.get(closed++).close();
      }
    }
    assertEquals(50, taken.get());
  }

  @Test
  void killDuringTransferIsReportedAndLeavesNothing() throws Exception {
    Node node = nodes.start("parent");
    String address = nodes.newAddress();
    try (Child child = new Child(leaks.directory(), address, "bind")) {
      child.expect("ready");
      Peer peer = node.connect(address).block(Nodes.PATIENCE);
      var sent = peer.send(
              "large", Codecs.byteBuffer(), Flux.range(0, 100_000).map(i -> patterned(MIB, i)))
          .toFuture();
      child.expect("large " + MIB);
      child.kill();

      assertInstanceOf(DeliveryUnknownException.class, failure(sent));
      peer.onClose().block(Nodes.PATIENCE);
      await().atMost(LONG).until(() -> node.engine().largeMessageBytes() == 0);
    }
    nodes.start("cleaner");
  }
}
