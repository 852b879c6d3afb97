package io.railflux.samples.cli;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The report of a running process about its rails and streams. */
class StatTest {

  private static final Pattern LISTENING = Pattern.compile("listening on (\\S+)");

  private static String address(Command listening) throws IOException {
    await().atMost(Command.PATIENCE).until(() -> listening.outputSoFar().contains("listening on"));
    Matcher matcher = LISTENING.matcher(listening.outputSoFar());
    assertTrue(matcher.find());
    return matcher.group(1);
  }

  @Test
  void showsTheRailsAndStreamsOfARunningProcess() throws Exception {
    try (Command receiver = Command.start("perf", "--listen", "tcp:127.0.0.1:0")) {
      String address = address(receiver);
      try (Command sender = Command.start(
          "perf", "--connect", address, "--workload", "throughput", "--seconds", "60")) {
        await()
            .atMost(Command.PATIENCE)
            .until(() ->
                !rails(Command.run("stat", address, "--times", "1", "--json")).isEmpty());
        Map<String, Object> rail = rails(
                Command.run("stat", address, "--times", "2", "--every", "0.2", "--json"))
            .get(0);
        assertEquals(true, rail.get("available"));
        assertEquals(1.0, rail.get("weight"));
        Map<String, Object> stream = list(
                Command.run("stat", address, "--times", "2", "--every", "0.2", "--json"), "streams")
            .get(0);
        assertEquals("received", stream.get("kind"));
        assertEquals("flowing", stream.get("state"));
        String table = Command.run("stat", address, "--times", "1").out();
        assertTrue(
            table.startsWith("peer ")
                && table.contains(" available ")
                && table.contains(" flowing "),
            table + sender.outputSoFar());
      }
    }
  }

  private static List<Map<String, Object>> rails(Command.Ended stat) {
    return list(stat, "rails");
  }

  @SuppressWarnings("unchecked")
  private static List<Map<String, Object>> list(Command.Ended stat, String field) {
    assertEquals(0, stat.code(), stat.err());
    return (List<Map<String, Object>>) stat.json().get(field);
  }

  @Test
  void reportsAnUnreachableProcess() throws Exception {
    Command.Ended ended = Command.run("stat", "tcp:127.0.0.1:1", "--times", "1");

    assertEquals(1, ended.code());
    assertEquals(1, ended.errorLines().size(), ended.err());
    assertTrue(ended.err().contains("127.0.0.1:1"), ended.err());
  }
}
