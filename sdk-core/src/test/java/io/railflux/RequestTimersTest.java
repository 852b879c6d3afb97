package io.railflux;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.railflux.exceptions.RemoteStreamException;
import io.railflux.message.Codecs;
import io.railflux.metrics.RailfluxMeter;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;

/** The duration of requests on both sides. */
class RequestTimersTest {

  private static final Duration DELAY = Duration.ofMillis(50);

  private static final Route<String, String> ROUTE =
      new Route<>("echo", Codecs.utf8(), Codecs.utf8());

  @RegisterExtension
  final LeakCheck leaks = new LeakCheck();

  @RegisterExtension
  final Nodes nodes = new Nodes(leaks);

  private final AtomicBoolean asked = new AtomicBoolean();
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

  private Timer timer(RailfluxMeter meter, String node, String outcome) {
    return registry
        .get(meter.meterName())
        .tags("node", node, "route", "echo", "outcome", outcome)
        .timer();
  }

  /** A timer is created by the first request that it records. */
  private long count(RailfluxMeter meter, String node, String outcome) {
    Timer timer = registry
        .find(meter.meterName())
        .tags("node", node, "route", "echo", "outcome", outcome)
        .timer();
    return timer == null ? 0 : timer.count();
  }

  private void assertTimed(long count, String outcome) {
    await().untilAsserted(() -> {
      assertEquals(count, count(RailfluxMeter.CLIENT_REQUESTS, "client", outcome));
      assertEquals(count, count(RailfluxMeter.SERVER_REQUESTS, "server", outcome));
    });
  }

  private Peer toServer() {
    Nodes.Pair pair = nodes.pair(config -> config.meterRegistry(registry));
    pair.server().respond(ROUTE, this::answer);
    return pair.toServer();
  }

  private Mono<String> answer(String request) {
    return switch (request) {
      case "now" -> Mono.just(request);
      case "later" -> Mono.delay(DELAY).thenReturn(request);
      case "never" -> {
        asked.set(true);
        yield Mono.never();
      }
      default -> Mono.error(new IllegalArgumentException(request));
    };
  }

  @Test
  void immediateAndLaterRepliesAreTimedOnBothSides() {
    Peer server = toServer();
    assertEquals("now", server.request(ROUTE, "now").block(Nodes.PATIENCE));
    assertTimed(1, "success");
    assertEquals("later", server.request(ROUTE, "later").block(Nodes.PATIENCE));
    assertTimed(2, "success");
    for (Timer timer : List.of(
        timer(RailfluxMeter.CLIENT_REQUESTS, "client", "success"),
        timer(RailfluxMeter.SERVER_REQUESTS, "server", "success"))) {
      assertTrue(timer.max(TimeUnit.MILLISECONDS) >= DELAY.toMillis(), timer.toString());
    }
  }

  @Test
  void failuresAndCancellationsAreTimedSeparately() {
    Peer server = toServer();
    Mono<String> wrong = server.request(ROUTE, "wrong");
    assertThrows(RemoteStreamException.class, () -> wrong.block(Nodes.PATIENCE));
    assertTimed(1, "error");
    Disposable waiting = server.request(ROUTE, "never").subscribe();
    await().untilTrue(asked);
    waiting.dispose();
    assertTimed(1, "cancelled");
  }

  @Test
  void timersAreRemovedWithTheirNode() {
    Nodes.Pair pair = nodes.pair(config -> config.meterRegistry(registry));
    pair.server().respond(ROUTE, Mono::just);
    pair.toServer().request(ROUTE, "x").block(Nodes.PATIENCE);
    pair.client().close().block(Nodes.PATIENCE);
    pair.server().close().block(Nodes.PATIENCE);
    assertEquals(List.of(), registry.getMeters());
  }
}
