package io.railflux.engine.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.engine.Flow;
import io.railflux.engine.TwoEngines;
import io.railflux.engine.stream.ByteFairMerge.Place;
import io.railflux.fabric.sim.SimConfig;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Places of a sending stream in the queue of its peer. */
class TurnPlacesTest {

  private final TwoEngines engines = TwoEngines.connected(SimConfig.rdma());

  private Flow lackingRoom() {
    Flow flow = engines.flow("numbers").sized(1_000).send(20_000).receive();
    engines.await(() -> flow.received.size() > 100);
    engines.far.freeze();
    engines.await(() -> flow.out.keepsTurn());
    return flow;
  }

  private void assertGoesOn(Flow flow) {
    engines.far.thaw();
    engines.await(flow::ended);
    flow.assertReceived(20_000);
    assertFalse(flow.out.isQueued());
  }

  @Test
  void everyOtherTransitionIsForbidden() {
    Set<String> allowed = new TreeSet<>();
    for (Place from : Place.values()) {
      for (Place to : Place.values()) {
        if (from.canBecome(to)) {
          allowed.add(from + " -> " + to);
        }
      }
    }
    assertEquals(
        new TreeSet<>(Set.of(
            "ABSENT -> QUEUED",
            "ABSENT -> FIRST",
            "QUEUED -> ABSENT",
            "FIRST -> ABSENT",
            "FIRST -> QUEUED")),
        allowed);
  }

  @Test
  void streamThatLacksRoomKeepsItsTurnUntilThereIsRoom() {
    Flow flow = lackingRoom();
    engines.pass(TwoEngines.MILLIS);
    assertTrue(flow.out.keepsTurn());

    assertGoesOn(flow);
  }

  @Test
  void turnForALargeMessageEndsTheKeptTurn() {
    Flow flow = lackingRoom();
    engines.pass(TwoEngines.MILLIS);
    assertTrue(flow.out.keepsTurn());
    boolean[] kept = new boolean[1];
    boolean[] queued = new boolean[1];
    engines.near.run(() -> {
      flow.out.turnForLarge();
      kept[0] = flow.out.keepsTurn();
      queued[0] = flow.out.isQueued();
    });
    engines.pass(TwoEngines.MILLIS);

    assertFalse(kept[0]);
    assertTrue(queued[0]);
    assertGoesOn(flow);
  }
}
