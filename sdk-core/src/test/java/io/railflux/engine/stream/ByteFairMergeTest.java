package io.railflux.engine.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.engine.RecordingSink;
import io.railflux.engine.base.EngineConfig;
import io.railflux.engine.base.StreamFailure;
import io.railflux.engine.fakes.FakeEngineContext;
import io.railflux.engine.fakes.FakeSession;
import io.railflux.fabric.sim.SimConfig;
import io.railflux.policy.StripingPolicy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.publisher.Flux;

/** The turns of the streams of a peer, and of the peers of a node. */
class ByteFairMergeTest {

  private static final int MESSAGE_BYTES = 1024;
  private static final int RING_BYTES = 2 << 20;

  private final FakeEngineContext engine = new FakeEngineContext(new EngineConfig(
      "near",
      EngineConfig.Limits.DEFAULT.withRingBytes(RING_BYTES),
      EngineConfig.Timing.DEFAULT,
      StripingPolicy::roundRobin));

  private final ByteFairMerge.Rotation rotation = new ByteFairMerge.Rotation();
  private final List<FakeSession> peers = new ArrayList<>();
  private final Map<String, OutboundStream> streams = new HashMap<>();

  /** Encoded bytes of this cycle by stream. */
  private Map<String, Integer> sent = new HashMap<>();

  private FakeSession peer() {
    FakeSession peer = new FakeSession(engine);
    peer.join(SimConfig.mapped().capabilities());
    peers.add(peer);
    return peer;
  }

  private OutboundStream stream(FakeSession peer, String name) {
    return stream(peer, name, MESSAGE_BYTES);
  }

  private OutboundStream stream(FakeSession peer, String name, int bytes) {
    OutboundStream out = Numbers.open(
        peer,
        name,
        Flux.range(0, 1_000_000).map(Integer::longValue),
        new RecordingSink(),
        Numbers.outgoing(number -> bytes, number -> sent.merge(name, bytes, Integer::sum)));
    streams.put(name, out);
    return out;
  }

  private void bulk(FakeSession peer, String name) {
    stream(peer, name).demand(0, true);
  }

  private void bulkTo(int count) {
    for (int i = 0; i < count; i++) {
      bulk(peer(), String.valueOf(i));
    }
    watch(2 * count);
  }

  /** Runs one cycle and reads everything as the peers; returns the sent bytes by stream. */
  private Map<String, Integer> cycle() {
    sent = new HashMap<>();
    rotation.next();
    for (FakeSession peer : peers) {
      peer.sendPath.lookForRoom();
      peer.streams.drainTurns(rotation);
      peer.acknowledgeAll();
    }
    return sent;
  }

  private List<Map<String, Integer>> watch(int cycles) {
    List<Map<String, Integer>> watched = new ArrayList<>();
    for (int i = 0; i < cycles; i++) {
      watched.add(cycle());
    }
    return watched;
  }

  private static long cyclesOf(String stream, List<Map<String, Integer>> cycles) {
    return cycles.stream().filter(cycle -> cycle.containsKey(stream)).count();
  }

  @Test
  void largeAndSmallMessagesShareTheBytes() {
    FakeSession peer = peer();
    OutboundStream large = stream(peer, "large", 16 << 10);
    OutboundStream small = stream(peer, "small", 512);
    large.demand(0, true);
    small.demand(0, true);
    watch(100);

    double ratio = (double) small.bytes() / large.bytes();
    assertTrue(ratio > 0.8 && ratio < 1.25, "small to large: " + ratio);
  }

  @Test
  void streamWithoutDemandDoesNotBlockOthers() {
    FakeSession peer = peer();
    OutboundStream waiting = stream(peer, "waiting");
    waiting.demand(1, false);
    bulk(peer, "busy");
    watch(10);

    assertEquals(1, waiting.messages());
    assertTrue(streams.get("busy").messages() > 1_000);
  }

  @Test
  void streamIsAloneWhileNoOtherWaitsForATurn() {
    FakeSession peer = peer();
    bulk(peer, "first");
    watch(2);
    assertTrue(peer.streams.isAlone(streams.get("first")));
    bulk(peer, "second");

    assertFalse(peer.streams.isAlone(streams.get("first")));
    assertFalse(peer.streams.isAlone(streams.get("second")));
  }

  /** With bulk streams to several peers, each cycle serves some of them for several turns. */
  @Nested
  class Rotation {

    private static final int CYCLES = 40;
    private static final int MAX_TURNS = ByteFairMerge.Rotation.MAX_TURNS;

    @ParameterizedTest
    @CsvSource({"1, 1, 1", "2, 2, 1", "4, 4, 1", "5, 1, 4", "8, 2, 4", "32, 4, 4"})
    void cyclesSendToSomePeersForSeveralTurns(int count, int atOnce, int turns) {
      bulkTo(count);
      List<Map<String, Integer>> cycles = watch(CYCLES);

      for (Map<String, Integer> cycle : cycles) {
        assertEquals(atOnce, cycle.size(), cycles::toString);
        for (int bytes : cycle.values()) {
          double taken = (double) bytes / ByteFairMerge.QUANTUM_BYTES;
          assertTrue(taken > turns - 0.5 && taken <= turns, cycles::toString);
        }
      }
      for (int peer = 0; peer < count; peer++) {
        assertEquals(CYCLES * atOnce / count, cyclesOf(String.valueOf(peer), cycles));
      }
    }

    /** Otherwise a second small stream would increase the share of a peer. */
    @Test
    void streamsOfAPeerShareItsPlace() {
      bulkTo(8);
      bulk(peers.get(7), "beside 7");
      watch(8);
      List<Map<String, Integer>> cycles = watch(CYCLES);

      assertEquals(CYCLES / MAX_TURNS, cyclesOf("7", cycles));
      cycles.forEach(cycle -> assertEquals(cycle.containsKey("7"), cycle.containsKey("beside 7")));
      assertEquals(CYCLES / MAX_TURNS, cyclesOf("6", cycles));
    }

    @Test
    void firstMessageOfAnotherStreamIsSentImmediatelyAndAlone() {
      bulkTo(8);
      OutboundStream other = stream(peers.get(7), "other");
      int ofPeer7 = 0;
      for (int message = 0; message < 2 * MAX_TURNS; message++) {
        other.demand(other.nextSeq() + 1, false);
        Map<String, Integer> cycle = cycle();
        assertTrue(cycle.containsKey("other"));
        ofPeer7 += cycle.containsKey("7") ? 1 : 0;
      }
      assertTrue(ofPeer7 <= MAX_TURNS, "the other stream of the peer sent as well");
    }

    @Test
    void notAllHaveTurnsInEachCycleWithMoreThanFourPeers() {
      bulkTo(4);
      assertTrue(rotation.allHaveTurnsInEachCycle());
      bulk(peer(), "4");
      watch(2);

      assertFalse(rotation.allHaveTurnsInEachCycle());
    }

    /** Otherwise the engine might sleep without a wake-up: a peer without a turn posts nothing that completes. */
    @Test
    void waitingForAPlaceKeepsTheEngineAwake() {
      bulkTo(4);
      for (FakeSession peer : peers) {
        // No place was granted since the last cycle.
        assertTrue(peer.streams.drainTurns(rotation) > 0);
      }
      assertEquals(Map.of(), cycleWithoutPlaces());
    }

    private Map<String, Integer> cycleWithoutPlaces() {
      sent = new HashMap<>();
      peers.forEach(peer -> peer.streams.drainTurns(rotation));
      return sent;
    }

    @Test
    void lostPeerFreesItsPlace() {
      bulkTo(8);
      FakeSession gone = peers.remove(3);
      gone.streams.failAll(new StreamFailure(StreamFailure.Kind.CLOSED, "a test"));
      watch(8);
      List<Map<String, Integer>> cycles = watch(CYCLES);

      assertEquals(0, cyclesOf("3", cycles));
      cycles.forEach(cycle -> assertEquals(1, cycle.size()));
      for (String left : List.of("0", "1", "2", "4", "5", "6", "7")) {
        long had = cyclesOf(left, cycles);
        assertTrue(had == CYCLES / 7 || had == CYCLES / 7 + 1, cycles::toString);
      }
    }

    @Test
    void remainingPeersHaveMoreTurns() throws Exception {
      bulkTo(8);
      for (int i = 2; i < 8; i++) {
        streams.get(String.valueOf(i)).cancelledByPeer(0);
      }
      watch(8);

      watch(CYCLES).forEach(cycle -> assertEquals(List.of("0", "1"), List.copyOf(cycle.keySet())));
    }

    /** A peer without space waits for its reader, not for its place. */
    @Test
    void peersWithoutSpaceDoNotKeepTheEngineAwake() {
      bulkTo(8);
      int work = 1;
      for (int i = 0; i < 1_000 && work > 0; i++) {
        work = 0;
        rotation.next();
        for (FakeSession peer : peers) {
          peer.sendPath.lookForRoom();
          work += peer.streams.drainTurns(rotation);
        }
      }

      assertEquals(0, work);
      assertTrue(rotation.allHaveTurnsInEachCycle());
    }
  }
}
