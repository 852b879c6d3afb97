package io.railflux.samples.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DoctorTest {

  @Test
  @SuppressWarnings("unchecked")
  void reportsAvailabilityAndRemedyOfEveryFabric() throws Exception {
    Command.Ended ended = Command.run("doctor", "--json");
    assertEquals(0, ended.code(), ended.err());
    var fabrics = (List<Map<String, Object>>) ended.json().get("fabrics");
    assertEquals(
        List.of("shm", "tcp", "verbs", "disni"),
        fabrics.stream().map(fabric -> fabric.get("name")).toList());
    for (Map<String, Object> fabric : fabrics) {
      assertNotEquals("", fabric.get("reason"));
      boolean available = (Boolean) fabric.get("available");
      assertEquals(available, "".equals(fabric.get("remedy")));
    }
  }

  @Test
  @SuppressWarnings("unchecked")
  void reportsASingleFabric() throws Exception {
    Command.Ended ended = Command.run("doctor", "--json", "--fabric", "tcp");
    assertEquals(0, ended.code(), ended.err());
    var fabrics = (List<Map<String, Object>>) ended.json().get("fabrics");
    assertEquals(
        List.of("tcp"), fabrics.stream().map(fabric -> fabric.get("name")).toList());
  }

  @Test
  void printsTheMachine() throws Exception {
    Command.Ended ended = Command.run("doctor");
    assertEquals(0, ended.code(), ended.err());
    assertTrue(ended.out().contains("JDK") && ended.out().contains("/dev/shm"), ended.out());
  }
}
