package io.railflux;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.message.Codecs;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.publisher.Mono;

/** The allocations of a request and its reply on both engine threads. */
@Timeout(value = 400, unit = TimeUnit.SECONDS)
class RequestCostTest {

  private static final Route<Integer, Integer> ONE =
      new Route<>("one", Codecs.int32(), Codecs.int32());
  private static final int REQUESTS = 20_000;

  @RegisterExtension
  final LeakCheck leaks = new LeakCheck();

  @RegisterExtension
  final Nodes nodes = new Nodes(leaks);

  /**
   * After compilation, a request takes about 380 bytes with an immediate reply, and 840 bytes with a reply stream. A
   * queue for replies that never wait would add 1,400 bytes.
   */
  @ParameterizedTest
  @CsvSource({"true, 650", "false, 1500"})
  void requestAllocatesLittleForAnyResultOfTheHandler(boolean isThere, long maxBytes) {
    Nodes.Pair pair = nodes.pair();
    Function<Integer, Mono<Integer>> handler =
        n -> isThere ? Mono.just(1) : Mono.just(1).hide();
    pair.server().respond(ONE, handler);
    request(pair.toServer());

    long before = EngineGarbage.bytes();
    request(pair.toServer());
    long perRequest = (EngineGarbage.bytes() - before) / REQUESTS;

    System.out.println("request and reply, both engines: " + perRequest + " bytes allocated");
    assertTrue(perRequest < maxBytes, perRequest + " bytes per request");
  }

  private static void request(Peer peer) {
    Mono.defer(() -> peer.request(ONE, 1)).repeat(REQUESTS - 1).then().block(Nodes.PATIENCE);
  }
}
