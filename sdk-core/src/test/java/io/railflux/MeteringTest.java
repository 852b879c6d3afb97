package io.railflux;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.railflux.fabric.Availability;
import io.railflux.fabric.Capabilities;
import io.railflux.fabric.Capabilities.Feature;
import io.railflux.fabric.Fabric;
import io.railflux.fabric.FabricContext;
import io.railflux.fabric.FabricProvider;
import io.railflux.fabric.shm.ShmFabricProvider;
import io.railflux.message.Codecs;
import io.railflux.metrics.RailfluxMeter;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import reactor.core.publisher.Flux;

/** Meters exist as long as their subjects and report them. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class MeteringTest {

  @RegisterExtension
  final LeakCheck leaks = new LeakCheck();

  @RegisterExtension
  final Nodes nodes = new Nodes(leaks);

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

  private Nodes.Pair pair() {
    return nodes.pair(config -> config.meterRegistry(registry));
  }

  private FunctionCounter sentToServer() {
    return registry
        .find(RailfluxMeter.MESSAGES_SENT.meterName())
        .tags("node", "client", "peer", "server")
        .functionCounter();
  }

  private static void send(Peer to, Peer from, String name, int messages) {
    from.receive(name, Codecs.int32()).subscribe(x -> {}, e -> {});
    to.send(name, Codecs.int32(), Flux.range(0, messages)).block(Nodes.PATIENCE);
  }

  private int meters() {
    return registry.getMeters().size();
  }

  @Test
  void sessionsWithEquallyNamedPeersAreReportedTogether() {
    Nodes.Pair first = pair();
    send(first.toServer(), first.toClient(), "n", 3);
    int before = meters();
    String address = nodes.newAddress();
    first.server().bind(address).block(Nodes.PATIENCE);
    Peer second = first.client().connect(address).block(Nodes.PATIENCE);
    Peer secondToClient = first.server().peers().skip(1).blockFirst(Nodes.PATIENCE);
    send(second, secondToClient, "n", 4);
    assertEquals(7, sentToServer().count());

    second.close().block(Nodes.PATIENCE);
    assertEquals(before, meters(), "the first session still exists");
    assertEquals(7, sentToServer().count(), "counters never decrease");
    send(first.toServer(), first.toClient(), "m", 1);
    assertEquals(8, sentToServer().count());

    first.toServer().close().block(Nodes.PATIENCE);
    await().until(() -> sentToServer() == null);
  }

  @Test
  void streamIsMeteredWhileItExists() {
    Nodes.Pair pair = pair();
    var receiving = pair.toClient()
        .receive("n", Codecs.int32())
        .take(3, true)
        .concatWith(Flux.never())
        .subscribe();
    pair.toServer().send("n", Codecs.int32(), Flux.never()).subscribe(x -> {}, e -> {});
    for (String direction : List.of("sent", "received")) {
      await().untilAsserted(() -> {
        Gauge demand = registry
            .find(RailfluxMeter.STREAM_DEMAND.meterName())
            .tags("stream", "n", "direction", direction)
            .gauge();
        assertNotNull(demand);
        assertEquals(3, demand.value());
      });
    }
    receiving.dispose();
    await().until(() -> registry.find(RailfluxMeter.STREAM_DEMAND.meterName()).gauge() == null);
  }

  @Test
  void closedNodeLeavesNoMeter() {
    Nodes.Pair pair = pair();
    assertNotNull(registry.find(RailfluxMeter.ENGINE_CYCLES.meterName()).functionCounter());
    pair.client().close().block(Nodes.PATIENCE);
    pair.server().close().block(Nodes.PATIENCE);

    assertEquals(List.of(), registry.getMeters());
    assertNull(sentToServer());
  }

  @Test
  void missingCapabilitiesOfAFabricAreCounted() {
    nodes.start("whole", config -> config.meterRegistry(registry));
    FabricProvider lesser = new FabricProvider() {
      private final FabricProvider shm = new ShmFabricProvider(leaks.directory());

      @Override
      public String name() {
        return shm.name();
      }

      @Override
      public Availability availability() {
        return shm.availability();
      }

      @Override
      public Fabric open(FabricContext context) {
        return withoutDeaths(shm.open(context));
      }
    };
    nodes.start("lesser", config -> config.meterRegistry(registry).fabrics(lesser));

    assertEquals(0, lacking("whole"));
    assertEquals(1, lacking("lesser"));
  }

  /** The same fabric without the declared capability to report the death of a peer. */
  private static Fabric withoutDeaths(Fabric fabric) {
    Capabilities all = fabric.capabilities();
    Set<Feature> features = new HashSet<>(all.features());
    features.remove(Feature.PEER_DEATH_REPORTED);
    Capabilities fewer = new Capabilities(
        features,
        all.maxSendBytes(),
        all.maxInlineBytes(),
        all.sendQueueDepth(),
        all.receiveQueueDepth(),
        all.eagerLimitBytes(),
        all.maxOutstandingReads());
    InvocationHandler handler = (proxy, method, arguments) ->
        method.getName().equals("capabilities") ? fewer : method.invoke(fabric, arguments);
    return (Fabric) Proxy.newProxyInstance(
        Fabric.class.getClassLoader(), new Class<?>[] {Fabric.class}, handler);
  }

  private double lacking(String node) {
    return registry
        .get(RailfluxMeter.ENGINE_LACKING.meterName())
        .tag("node", node)
        .gauge()
        .value();
  }
}
