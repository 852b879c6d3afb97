package io.railflux.engine.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.engine.Engine;
import io.railflux.engine.Flow;
import io.railflux.engine.TwoEngines;
import io.railflux.engine.base.EngineConfig;
import io.railflux.fabric.sim.LinkModel;
import io.railflux.fabric.sim.SimConfig;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A node with bulk traffic to several peers sends to some of them in each cycle, for several consecutive turns. */
class BulkRotationTest {

  private static final int MESSAGE_BYTES = 1024;
  private static final int CYCLES = 40;

  // The network is fast enough that peers never wait for it.
  private final TwoEngines engines = TwoEngines.connected(
      TwoEngines.Setting.of(SimConfig.rdma().withLink(new LinkModel(100, 100, 0)))
          .with(EngineConfig.Limits.DEFAULT.withRingBytes(4 << 20).withReorderWindow(1 << 16)));

  private final List<Flow> flows = new ArrayList<>();

  /** Encoded bytes by cycle of the sender and by stream. */
  private final Map<Long, Map<String, Integer>> sent = new HashMap<>();

  /** Starts a bulk stream to the latest peer. */
  private void bulk(String name) {
    Flow flow = flow(name).receive();
    engines.await(() -> !flow.received.isEmpty());
    flows.add(flow);
  }

  private Flow flow(String name) {
    Flow flow = engines.flow(name).sized(MESSAGE_BYTES);
    flow.onEncoding =
        number -> sent.computeIfAbsent(engines.near.engine().cycles(), cycle -> new HashMap<>())
            .merge(name, MESSAGE_BYTES, Integer::sum);
    return flow.send(1_000_000);
  }

  private void bulkTo(int peers) {
    bulk("0");
    for (int i = 1; i < peers; i++) {
      engines.connectAgain();
      bulk(String.valueOf(i));
    }
  }

  /** Returns the bytes per stream of each of several consecutive cycles. */
  private List<Map<String, Integer>> watch() {
    long first = engines.near.engine().cycles() + 2L * CYCLES;
    engines.await(() -> engines.near.engine().cycles() >= first + CYCLES);
    List<Map<String, Integer>> cycles = new ArrayList<>();
    for (long cycle = first; cycle < first + CYCLES; cycle++) {
      cycles.add(sent.getOrDefault(cycle, Map.of()));
    }
    return cycles;
  }

  private static long cyclesOf(String stream, List<Map<String, Integer>> cycles) {
    return cycles.stream().filter(cycle -> cycle.containsKey(stream)).count();
  }

  @ParameterizedTest
  @CsvSource({"1, 1, 1", "2, 2, 1", "4, 4, 1", "5, 1, 4", "8, 2, 4", "32, 4, 4"})
  void cyclesSendToSomePeersForSeveralTurns(int peers, int atOnce, int turns) {
    bulkTo(peers);
    List<Map<String, Integer>> cycles = watch();

    for (Map<String, Integer> cycle : cycles) {
      assertEquals(atOnce, cycle.size(), cycles::toString);
      for (int bytes : cycle.values()) {
        double taken = (double) bytes / ByteFairMerge.QUANTUM_BYTES;
        assertTrue(taken > turns - 0.5 && taken <= turns, cycles::toString);
      }
    }
    for (int peer = 0; peer < peers; peer++) {
      assertEquals(CYCLES * atOnce / peers, cyclesOf(String.valueOf(peer), cycles));
    }
  }

  /** Otherwise a peer could take more than others by sending small messages in addition. */
  @Test
  void streamsOfAPeerShareItsPlace() {
    bulkTo(8);
    bulk("beside 7");
    List<Map<String, Integer>> cycles = watch();

    assertEquals(CYCLES / ByteFairMerge.Rotation.MAX_TURNS, cyclesOf("7", cycles));
    cycles.forEach(cycle -> assertEquals(cycle.containsKey("7"), cycle.containsKey("beside 7")));
    assertEquals(CYCLES / ByteFairMerge.Rotation.MAX_TURNS, cyclesOf("6", cycles));
  }

  @Test
  void firstMessageOfAnotherStreamIsSentImmediatelyAndAlone() {
    bulkTo(8);
    Flow other = flow("other");
    engines.await(() -> other.out != null);
    long[] asked = new long[1];
    int peer7 = 0;
    for (int message = 0; message < 2 * ByteFairMerge.Rotation.MAX_TURNS; message++) {
      asked[0] = -1;
      engines.near.run(() -> {
        asked[0] = engines.near.engine().cycles();
        other.out.demand(other.out.nextSeq() + 1, false);
      });
      engines.await(() -> asked[0] >= 0);
      assertTrue(sent.get(asked[0]).containsKey("other"));
      peer7 += sent.get(asked[0]).containsKey("7") ? 1 : 0;
    }
    assertTrue(
        peer7 <= ByteFairMerge.Rotation.MAX_TURNS, "the other stream of the peer sent as well");
  }

  /** Its next turns follow the turns of others. */
  @Test
  void messagesToOneOfManyPeersDoNotWaitForMore() {
    bulkTo(8);
    long end = engines.near.engine().cycles() + CYCLES;
    engines.await(() -> {
      engines.near.engine().channels().forEach(channel -> assertFalse(channel.moreFollows()));
      return engines.near.engine().cycles() > end;
    });
  }

  /**
   * Otherwise the engine might sleep without a wake-up, because a stream without a turn posts no request that
   * completes.
   */
  @Test
  void waitingForAPlaceKeepsTheEngineAwake() {
    bulkTo(4);
    int[] waited = new int[1];
    engines.near.run(() -> {
      Engine engine = engines.near.engine();
      for (int peer = 0; peer < flows.size(); peer++) {
        long before = flows.get(peer).out.messages();
        assertTrue(engine.channels().get(peer).streams().drainTurns(engine.rotation()) > 0);
        waited[0] += flows.get(peer).out.messages() == before ? 1 : 0;
      }
    });
    engines.await(() -> waited[0] > 0);
    assertEquals(flows.size(), waited[0]);
  }

  @Test
  void remainingPeersHaveMoreTurns() {
    bulkTo(8);
    Set<String> left = watch().get(0).keySet();
    flows.stream().filter(flow -> !left.contains(flow.name)).forEach(Flow::cancel);
    List<Map<String, Integer>> cycles = watch();

    cycles.forEach(cycle -> assertEquals(left, cycle.keySet()));
  }

  @Test
  void lostPeerFreesItsPlace() {
    bulkTo(8);
    engines.near.run(() -> engines.near.engine().channels().get(3).abort("a test"));
    List<Map<String, Integer>> cycles = watch();

    assertEquals(0, cyclesOf("3", cycles));
    cycles.forEach(cycle -> assertEquals(1, cycle.size()));
    for (String left : List.of("0", "1", "2", "4", "5", "6", "7")) {
      long had = cyclesOf(left, cycles);
      assertTrue(had == CYCLES / 7 || had == CYCLES / 7 + 1, cycles::toString);
    }
  }

  /** A stream without space waits for the peer, not for its place. */
  @Test
  void engineSleepsIfItsPeersHaveNoSpace() {
    bulkTo(8);
    engines.far.freeze();
    engines.pass(20 * TwoEngines.MILLIS);
    long before = engines.near.engine().cycles();
    engines.pass(20 * TwoEngines.MILLIS);

    assertTrue(engines.near.engine().cycles() - before < 100);
  }
}
