package io.railflux.samples.quickstart;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.railflux.Node;
import io.railflux.Railflux;
import io.railflux.message.Codecs;
import io.railflux.metrics.RailfluxMeter;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The formulas of docs/memory.md. */
@Tag("CH1")
class MemoryTest {

  private static final int PAGE = 4096;
  private static final int WORDS_BYTES = 128;
  private static final int HANDSHAKE_BYTES = 2 * 16 * 1024;
  private static final int LINK_BYTES = PAGE + 2 * 64 * 1024;
  private static final int STREAMS = 10_000;
  private static final int SESSIONS = 10;
  private static final int NODES = 20;

  @ParameterizedTest
  @ValueSource(ints = {64 << 10, 2 << 20})
  void registeredPerPeerAndRailAreRingWordsAndHandshake(int ringBytes) {
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    try (TwoNodes nodes = TwoNodes.connected(
        Addresses.fresh(), config -> config.ringBytes(ringBytes).meterRegistry(registry))) {
      for (String node : new String[] {"server", "client"}) {
        Gauge registered = registry
            .get(RailfluxMeter.REGISTERED_MEMORY.meterName())
            .tag("node", node)
            .gauge();
        assertEquals(ringBytes + WORDS_BYTES + HANDSHAKE_BYTES, (int) registered.value());
      }
      assertEquals("server", nodes.toServer().name());
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {64 << 10, 2 << 20})
  void sharedMemoryOfAConnectionIsTwoRingsTwoWordsAndALink(int ringBytes) {
    long before = SharedMemoryInUse.bytes();
    try (TwoNodes nodes =
        TwoNodes.connected(Addresses.fresh(), config -> config.ringBytes(ringBytes))) {
      long ring = (long) ringBytes + PAGE;
      long words = 2L * PAGE;
      assertEquals(2L * (ring + words) + LINK_BYTES, SharedMemoryInUse.bytes() - before);
      assertEquals("client", nodes.toClient().name());
    }
  }

  @Test
  void nodeWithoutPeersUsesLittleHeap() {
    List<Node> nodes = new ArrayList<>();
    // The first nodes load classes that later nodes share.
    start(nodes, 1);
    try {
      long before = heapBytes();
      start(nodes, NODES);
      long perNode = (heapBytes() - before) / NODES;
      System.out.println("node: " + perNode + " bytes of heap");
      assertTrue(perNode < 40_000, "a node takes " + perNode + " bytes");
    } finally {
      nodes.forEach(node -> node.close().block(TwoNodes.PATIENCE));
    }
  }

  private static void start(List<Node> nodes, int count) {
    for (int i = 0; i < count; i++) {
      Node node = Railflux.create().name("lonely").start().block(TwoNodes.PATIENCE);
      node.bind(Addresses.fresh()).block(TwoNodes.PATIENCE);
      nodes.add(node);
    }
  }

  @Test
  void quietSessionUsesAboutThirtyKilobytesOfHeapOnEachSide() {
    String address = Addresses.fresh();
    try (TwoNodes nodes = TwoNodes.connected(address, config -> config.ringBytes(1 << 20))) {
      long before = heapBytes();
      for (int i = 0; i < SESSIONS; i++) {
        nodes.client().connect(address).block(TwoNodes.PATIENCE);
      }
      long perSide = (heapBytes() - before) / SESSIONS / 2;
      System.out.println("session, each side: " + perSide + " bytes of heap");
      assertTrue(perSide > 20_000 && perSide < 40_000, "each side takes " + perSide + " bytes");
    }
  }

  @Test
  void idleStreamUsesAboutTwoAndAHalfKilobytesOfHeapOnBothSides() {
    try (TwoNodes nodes =
        TwoNodes.connected(Addresses.fresh(), config -> config.maxStreams(STREAMS + 1))) {
      long before = heapBytes();
      for (int i = 0; i < STREAMS; i++) {
        String name = "idle-" + i;
        nodes.toServer().receive(name, Codecs.int64()).subscribe(value -> {}, closed -> {});
        nodes
            .toClient()
            .send(name, Codecs.int64(), Flux.never())
            .subscribe(none -> {}, cancelled -> {});
      }
      roundTrip(nodes);
      long perStream = (heapBytes() - before) / STREAMS;
      System.out.println("idle stream, both sides: " + perStream + " bytes of heap");
      assertTrue(perStream < 3_000, "an idle stream takes " + perStream + " bytes");
    }
  }

  @Test
  void parkedStreamUsesSlightlyLess() {
    try (TwoNodes nodes =
        TwoNodes.connected(Addresses.fresh(), config -> config.maxStreams(STREAMS + 1))) {
      long before = heapBytes();
      for (int i = 0; i < STREAMS; i++) {
        nodes
            .toClient()
            .send("parked-" + i, Codecs.int64(), Flux.never())
            .subscribe(none -> {}, cancelled -> {});
      }
      roundTrip(nodes);
      long perStream = (heapBytes() - before) / STREAMS;
      System.out.println("parked stream, both sides: " + perStream + " bytes of heap");
      assertTrue(perStream < 3_000, "a parked stream takes " + perStream + " bytes");
    }
  }

  /** Returns after all earlier frames have arrived. */
  private static void roundTrip(TwoNodes nodes) {
    Mono<Void> sent = nodes.toClient().send("last", Codecs.int64(), Flux.just(1L));
    nodes.toServer().receive("last", Codecs.int64()).subscribe();
    sent.block(TwoNodes.PATIENCE);
  }

  private static long heapBytes() {
    for (int i = 0; i < 3; i++) {
      System.gc();
    }
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }
}
