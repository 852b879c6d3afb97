package io.railflux.samples.quickstart;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.metrics.RailEvent;
import io.railflux.metrics.RailEvent.Kind;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class RailsWhileRunningTest {

  @Test
  @Tag("MR12")
  void streamOutlivesItsFirstRail() {
    RailsWhileRunning.Result result = RailsWhileRunning.run(200_000);

    assertEquals(IntStream.range(0, 200_000).boxed().toList(), result.received());
    List<Kind> kinds = result.events().stream().map(RailEvent::kind).toList();
    assertTrue(
        kinds.containsAll(List.of(Kind.ADDED, Kind.POLICY_CHANGED, Kind.REMOVED)),
        () -> result.events().toString());
  }
}
