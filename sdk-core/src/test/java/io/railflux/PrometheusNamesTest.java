package io.railflux;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.railflux.message.Codecs;
import io.railflux.metrics.RailfluxMeter;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The name of every meter in a scrape. */
class PrometheusNamesTest {

  private static final Route<String, String> ROUTE =
      new Route<>("echo", Codecs.utf8(), Codecs.utf8());

  @RegisterExtension
  final LeakCheck leaks = new LeakCheck();

  @RegisterExtension
  final Nodes nodes = new Nodes(leaks);

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

  private Set<String> scrapedNames() {
    return registry
        .scrape()
        .lines()
        .filter(line -> line.startsWith("# TYPE railflux_"))
        .map(line -> line.split(" ", -1)[2])
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void namesRepeatNoWord() {
    Nodes.Pair pair = nodes.pair(config -> config.meterRegistry(registry));
    pair.toClient().receive("n", Codecs.int32()).subscribe();
    pair.toServer().send("n", Codecs.int32(), Flux.never()).subscribe(x -> {}, e -> {});
    pair.server().respond(ROUTE, Mono::just);
    assertEquals("x", pair.toServer().request(ROUTE, "x").block(Nodes.PATIENCE));
    String stream = "railflux_stream_demand_messages";
    await().until(() -> scrapedNames().contains(stream));

    Set<String> names = scrapedNames();
    for (String name : names) {
      List<String> words = List.of(name.split("_"));
      assertEquals(words.size(), Set.copyOf(words).size(), name);
    }
    for (RailfluxMeter meter : RailfluxMeter.values()) {
      String prefix = meter.meterName().replace('.', '_');
      assertTrue(names.stream().anyMatch(name -> name.startsWith(prefix)), prefix + " in " + names);
    }
    assertTrue(names.contains("railflux_endpoints_lost_total"), names.toString());
    assertTrue(names.contains("railflux_client_requests_seconds"), names.toString());
  }
}
