package io.railflux.samples.cli;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class SimulateTest {

  @Test
  void sumsUpTheSeeds() throws Exception {
    Command.Ended ended = Command.run("simulate", "--seeds", "3", "--first", "7", "--json");
    Map<String, Object> result = ended.json();
    assertEquals(
        List.of(
            "seeds",
            "violations",
            "firstFailingSeed",
            "faults",
            "replays",
            "duplicatesDropped",
            "virtualSeconds",
            "wallSeconds"),
        List.copyOf(result.keySet()));
    assertEquals(3, result.get("seeds"));
    // The lab's tests verify the seeds. This test verifies the report.
    boolean passed = result.get("violations").equals(0);
    assertEquals(passed, result.get("firstFailingSeed") == null);
    assertEquals(passed ? 0 : 1, ended.code(), ended.err());
  }

  /** Uses the signal of Ctrl-C. */
  @Test
  @Tag("deep")
  void interruptedRunReportsItsPartialResult() throws Exception {
    // Background commands of a shell ignore the signal, and so do their children.
    List<String> host = List.of("env", "--default-signal=INT");
    try (Command command = Command.startOn(host, "simulate", "--seeds", "1000000")) {
      await().atMost(Command.PATIENCE).until(() -> command.outputSoFar().contains("100 seeds, "));
      command.signal("INT");
      Command.Ended ended = command.ended();

      assertEquals(130, ended.code(), ended.err());
      assertEquals(List.of(), ended.errorLines());
      assertTrue(ended.out().contains("interrupted; so far:"), ended.out());
      assertTrue(ended.out().contains(" simulated seconds in "), ended.out());
    }
  }

  @Test
  void equalSeedsProduceEqualTraces() throws Exception {
    String once = story();
    assertTrue(once.contains("trace hash"), once);
    assertEquals(once, story());
  }

  /** Returns the output without the figures at its end, which include the elapsed time. */
  private static String story() throws Exception {
    String out = Command.run("simulate", "--seed", "7", "--trace").out();
    int hash = out.indexOf("trace hash");
    return out.substring(0, out.indexOf('\n', hash));
  }
}
