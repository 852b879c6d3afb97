package io.railflux;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.railflux.fabric.tcp.TcpFabricProvider;
import io.railflux.message.Codecs;
import io.railflux.policy.Rendezvous;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Large messages that the receiver reads over real sockets. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class LargeReadTest {

  private static final int BYTES = 1 << 20;
  private static final int COUNT = 32;

  @RegisterExtension
  final LeakCheck leaks = new LeakCheck();

  @RegisterExtension
  final Nodes nodes = new Nodes(leaks);

  private Node start(String name) {
    return nodes.start(
        name, config -> config.fabrics(new TcpFabricProvider()).rendezvous(Rendezvous.READ));
  }

  @Test
  @Tag("RV2")
  void consumerMayReleaseMessagesImmediately() {
    Node server = start("server");
    String bound = server.bind("tcp:127.0.0.1:0").block(Nodes.PATIENCE);
    Peer toServer = start("client").connect(bound).block(Nodes.PATIENCE);
    Peer toClient = server.peers().blockFirst(Nodes.PATIENCE);
    Mono<Long> received = toClient
        .receiveMessages("large")
        .doOnNext(message -> {
          assertEquals(BYTES, message.payload().remaining());
          message.close();
        })
        .count();
    Flux<ByteBuffer> messages = Flux.range(0, COUNT).map(i -> ByteBuffer.allocateDirect(BYTES));
    Mono<Boolean> sent = toServer.send("large", Codecs.byteBuffer(), messages).thenReturn(true);

    assertEquals(COUNT, Mono.zip(received, sent).block(Nodes.PATIENCE).getT1());
  }
}
