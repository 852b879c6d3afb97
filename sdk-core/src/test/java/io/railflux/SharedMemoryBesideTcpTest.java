package io.railflux;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.fabric.shm.ShmFabricProvider;
import io.railflux.fabric.tcp.TcpFabricProvider;
import io.railflux.message.Codec;
import io.railflux.message.Codecs;
import io.railflux.metrics.RailStatus;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Rails of different kinds in one session (MR12: V 10.2). */
@Tag("MR12")
class SharedMemoryBesideTcpTest {

  private static final int NUMBERS = 300_000;
  private static final int LARGE = 40;
  private static final int LARGE_BYTES = 3 << 20;

  @RegisterExtension
  final LeakCheck leaks = new LeakCheck();

  @RegisterExtension
  final Nodes nodes = new Nodes(leaks);

  private Node client;
  private Node server;
  private String shm;
  private String tcp;
  private Peer toServer;
  private Peer toClient;

  private Node both(String name) {
    return nodes.start(
        name,
        config ->
            config.fabrics(new ShmFabricProvider(leaks.directory()), new TcpFabricProvider()));
  }

  @BeforeEach
  void bind() {
    server = both("server");
    shm = server.bind("shm:beside").block(Nodes.PATIENCE);
    tcp = server.bind("tcp:127.0.0.1:0").block(Nodes.PATIENCE);
    client = both("client");
  }

  private void connect(String addresses) {
    toServer = client.connect(addresses).block(Nodes.PATIENCE);
    toClient = server.peers().blockFirst(Nodes.PATIENCE);
  }

  private static void await(BooleanSupplier condition) {
    Awaitility.await().atMost(Nodes.PATIENCE).until(condition::getAsBoolean);
  }

  private static long available(Peer peer) {
    return peer.rails().stream().filter(RailStatus::available).count();
  }

  /** Sends numbers and large messages concurrently, and runs an action at each number. */
  private void assertArrives(IntConsumer atEach) throws Exception {
    CompletableFuture<List<Integer>> numbers = new CompletableFuture<>();
    toClient
        .receive("numbers", Codecs.int32())
        .doOnNext(atEach::accept)
        .collectList()
        .subscribe(numbers::complete, numbers::completeExceptionally);
    CompletableFuture<List<Integer>> large = new CompletableFuture<>();
    toClient
        .receive("large", Codecs.bytes())
        .map(SharedMemoryBesideTcpTest::number)
        .collectList()
        .subscribe(large::complete, large::completeExceptionally);
    Mono.when(
            toServer.send("numbers", Codecs.int32(), Flux.range(0, NUMBERS)),
            toServer.send(
                "large",
                Codecs.bytes(),
                Flux.range(0, LARGE).map(SharedMemoryBesideTcpTest::message)))
        .block(Nodes.PATIENCE);
    assertEquals(IntStream.range(0, NUMBERS).boxed().toList(), numbers.get());
    assertEquals(IntStream.range(0, LARGE).boxed().toList(), large.get());
  }

  private static byte[] message(int number) {
    byte[] bytes = new byte[LARGE_BYTES];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (number + i / 997);
    }
    return bytes;
  }

  /** Returns the number of a message, or -1 if it is damaged. */
  private static int number(byte[] bytes) {
    for (int i = 0; i < bytes.length; i++) {
      if (bytes[i] != (byte) (bytes[0] + i / 997)) {
        return -1;
      }
    }
    return bytes[0];
  }

  @Test
  void bothCarryAStream() throws Exception {
    connect(shm + "," + tcp);
    await(() -> available(toServer) == 2 && available(toClient) == 2);
    assertArrives(number -> {});

    for (RailStatus rail : toServer.rails()) {
      assertTrue(rail.load().bytes() > LARGE_BYTES, rail::toString);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"tcp", "shm"})
  void oneTakesOverFromTheOther(String kind) throws Exception {
    String next = kind.equals("tcp") ? tcp : shm;
    String former = kind.equals("tcp") ? shm : tcp;
    connect(former);
    assertArrives(number -> {
      if (number == NUMBERS / 3) {
        toServer.addRail(next).then(toServer.removeRail(former)).subscribe();
      }
    });

    await(() -> available(toServer) == 1 && available(toClient) == 1);
    assertTrue(toServer.explain().contains("over " + kind + "#"), toServer.explain());
  }

  /** A codec whose bound for long values is loose. */
  private static Codec<ByteBuffer> loose() {
    Codec<ByteBuffer> exact = Codecs.byteBuffer();
    return new Codec<>() {
      @Override
      public String name() {
        return exact.name();
      }

      @Override
      public int maxEncodedBytes(ByteBuffer value) {
        return value.remaining() > Long.BYTES ? LARGE_BYTES : value.remaining();
      }

      @Override
      public void encode(ByteBuffer value, ByteBuffer slot) {
        exact.encode(value, slot);
      }

      @Override
      public ByteBuffer inPlace(ByteBuffer value) {
        return value;
      }

      @Override
      public ByteBuffer decode(ByteBuffer slot) {
        return exact.decode(slot);
      }
    };
  }

  @Test
  void heapBuffersAreSentByANodeWithAnotherRail() throws Exception {
    connect(shm);
    client.bind("tcp:127.0.0.1:0").block(Nodes.PATIENCE);
    List<ByteBuffer> buffers = List.of(buffer(8), buffer(512), buffer(8));
    CompletableFuture<List<ByteBuffer>> received = new CompletableFuture<>();
    toClient
        .receive("buffers", Codecs.byteBuffer())
        .collectList()
        .subscribe(received::complete, received::completeExceptionally);
    toServer.send("buffers", loose(), Flux.fromIterable(buffers)).block(Nodes.PATIENCE);

    assertEquals(buffers, received.get());
  }

  private static ByteBuffer buffer(int bytes) {
    ByteBuffer buffer = ByteBuffer.allocate(bytes);
    for (int i = 0; i < bytes; i++) {
      buffer.put(i, (byte) (bytes + i / 7));
    }
    return buffer;
  }

  @Test
  void railsOfEitherKindJoinAndLeave() throws Exception {
    connect(shm + "," + tcp);
    await(() -> available(toServer) == 2);
    assertArrives(number -> {
      if (number % (NUMBERS / 10) == 1) {
        String address = number / (NUMBERS / 10) % 2 == 0 ? shm : tcp;
        toServer
            .removeRail(address)
            .then(toServer.addRail(address))
            .onErrorComplete()
            .subscribe();
      }
    });

    await(() -> available(toServer) == 2 && available(toClient) == 2);
  }
}
