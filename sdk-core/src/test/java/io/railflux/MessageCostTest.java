package io.railflux;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.railflux.fabric.tcp.TcpFabricProvider;
import io.railflux.message.Codecs;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Flux;

/** What a message that travels alone allocates on both engine threads together. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class MessageCostTest {

  private static final int MESSAGES = 20_000;

  /** About 16, the number itself; over sockets 64 more for each write where Netty cannot reuse what it needs. */
  private static final int MOST_BYTES = 32;

  @RegisterExtension
  final LeakCheck leaks = new LeakCheck();

  @RegisterExtension
  final Nodes nodes = new Nodes(leaks);

  @ParameterizedTest
  @EnumSource(names = {"SHM", "TCP"})
  void aMessageAndItsDemandMakeNextToNoGarbage(Ground ground) {
    assumeTrue(
        ground == Ground.SHM || Runtime.version().feature() < 24,
        "Netty makes a buffer of 64 bytes for each write where the JDK discourages Unsafe");
    UnaryOperator<Railflux> change =
        config -> ground == Ground.TCP ? config.fabrics(new TcpFabricProvider()) : config;
    Node server = nodes.start("server", change);
    String bound = server.bind(ground.newAddress(nodes)).block(Nodes.PATIENCE);
    Nodes.Pair pair = nodes.join(server, nodes.start("client", change), bound);
    move(pair, "warm-up");

    long before = EngineGarbage.bytes();
    move(pair, "measured");
    long perMessage = (EngineGarbage.bytes() - before) / MESSAGES;

    System.out.println(
        ground + ", message and demand, both engines: " + perMessage + " bytes allocated");
    assertTrue(perMessage < MOST_BYTES, perMessage + " bytes a message");
  }

  /** One after the other, as the next is asked for when one came. */
  private static void move(Nodes.Pair pair, String stream) {
    Integer same = 1;
    pair.toServer()
        .send(stream, Codecs.int32(), Flux.range(0, MESSAGES).map(n -> same))
        .subscribe();
    pair.toClient().receive(stream, Codecs.int32()).limitRate(1).then().block(Nodes.PATIENCE);
  }
}
