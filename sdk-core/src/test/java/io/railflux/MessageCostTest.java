package io.railflux;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.railflux.fabric.tcp.TcpFabricProvider;
import io.railflux.message.Codec;
import io.railflux.message.Codecs;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Flux;

/** The allocations of a message on both engine threads. */
@Timeout(value = 240, unit = TimeUnit.SECONDS)
class MessageCostTest {

  private static final int MESSAGES = 20_000;

  /** About 16 bytes for the number. Over sockets, 64 more per write if Netty cannot reuse its buffer. */
  private static final int MAX_BYTES = 32;

  @RegisterExtension
  final LeakCheck leaks = new LeakCheck();

  @RegisterExtension
  final Nodes nodes = new Nodes(leaks);

  /** For a stream: frames are sent in place and read into place. */
  private static final int MAX_BYTES_OF_A_STREAM = 4;

  @ParameterizedTest
  @EnumSource(names = {"SHM", "TCP"})
  void messageWithItsDemandAllocatesAlmostNothing(Ground ground) {
    Nodes.Pair pair = join(ground);
    long perMessage = measure(() -> moveOneByOne(pair, "warm-up"), () -> moveOneByOne(pair, "s"));

    System.out.println(
        ground + ", message and demand, both engines: " + perMessage + " bytes allocated");
    assertTrue(perMessage < MAX_BYTES, perMessage + " bytes per message");
  }

  @ParameterizedTest
  @EnumSource(names = {"SHM", "TCP"})
  void streamOfKibibytesAllocatesAlmostNothing(Ground ground) {
    Nodes.Pair pair = join(ground);
    long perMessage = measure(() -> moveInBulk(pair, "warm-up"), () -> moveInBulk(pair, "s"));

    System.out.println(
        ground + ", 1 KiB of a stream, both engines: " + perMessage + " bytes allocated");
    assertTrue(perMessage < MAX_BYTES_OF_A_STREAM, perMessage + " bytes per message");
  }

  private Nodes.Pair join(Ground ground) {
    assumeTrue(
        ground == Ground.SHM || Runtime.version().feature() < 24,
        "Netty allocates a buffer of 64 bytes per write if the JDK discourages Unsafe");
    UnaryOperator<Railflux> change =
        config -> ground == Ground.TCP ? config.fabrics(new TcpFabricProvider()) : config;
    Node server = nodes.start("server", change);
    String bound = server.bind(ground.newAddress(nodes)).block(Nodes.PATIENCE);
    return nodes.join(server, nodes.start("client", change), bound);
  }

  private static long measure(Runnable warmUp, Runnable measured) {
    warmUp.run();
    long before = EngineGarbage.bytes();
    measured.run();
    return (EngineGarbage.bytes() - before) / MESSAGES;
  }

  /** Moves messages one by one: each request follows the previous message. */
  private static void moveOneByOne(Nodes.Pair pair, String stream) {
    Integer same = 1;
    pair.toServer()
        .send(stream, Codecs.int32(), Flux.range(0, MESSAGES).map(n -> same))
        .subscribe();
    pair.toClient().receive(stream, Codecs.int32()).limitRate(1).then().block(Nodes.PATIENCE);
  }

  private static void moveInBulk(Nodes.Pair pair, String stream) {
    Flux<Integer> same = Flux.fromIterable(Collections.nCopies(MESSAGES, 1));
    pair.toServer().send(stream, new Kibibyte(), same).subscribe();
    pair.toClient().receive(stream, new Kibibyte()).then().block(Nodes.PATIENCE);
  }

  /** Allocates nothing itself. */
  private static final class Kibibyte implements Codec<Integer> {

    private static final byte[] CONTENT = new byte[1024];

    private final Integer same = 1;

    @Override
    public String name() {
      return "kibibyte";
    }

    @Override
    public int maxEncodedBytes(Integer value) {
      return CONTENT.length;
    }

    @Override
    public void encode(Integer value, ByteBuffer slot) {
      slot.put(CONTENT);
    }

    @Override
    public Integer decode(ByteBuffer slot) {
      return same;
    }
  }
}
