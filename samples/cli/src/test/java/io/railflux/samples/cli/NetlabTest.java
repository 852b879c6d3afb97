package io.railflux.samples.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.abort;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** {@code railflux netlab} with real sockets between namespaces, whose cables are pulled. */
class NetlabTest {

  private static Map<String, Object> result(String experiment, String... more) throws Exception {
    List<String> arguments = new ArrayList<>(List.of("netlab", experiment, "--json"));
    arguments.addAll(List.of(more));
    Command.Ended ended = Command.run(arguments.toArray(new String[0]));
    if (ended.err().contains("skipped: ")) {
      abort(ended.err());
    }
    assertEquals(0, ended.code(), ended.err());
    Map<String, Object> result = ended.json();
    assertEquals(experiment, result.get("experiment"));
    assertEquals(0, result.get("lost"));
    assertEquals(0, result.get("duplicated"));
    assertEquals(0, result.get("reordered"));
    assertEquals(true, result.get("checksumOk"));
    assertTrue(((Number) result.get("low")).doubleValue() <= number(result), ended.out());
    assertTrue(((Number) result.get("high")).doubleValue() >= number(result), ended.out());
    return result;
  }

  private static double number(Map<String, Object> result) {
    return ((Number) result.get("value")).doubleValue();
  }

  @Test
  @Tag("FT1")
  @Tag("FT3")
  @Tag("deep")
  void railDeathUnderFullLoadLosesNoMessage() throws Exception {
    assertEquals("s", result("rail-death", "--runs", "1", "--seconds", "1").get("unit"));
  }

  @Test
  @Tag("MR9")
  @Tag("deep")
  void answersRequestsOverTwoRails() throws Exception {
    assertEquals("x", result("request", "--runs", "1", "--seconds", "1").get("unit"));
  }

  @Test
  @Tag("FT5")
  @Tag("deep")
  void flappingRailsUnderMixedLoadLoseNoMessage() throws Exception {
    Map<String, Object> result = result("flap", "--seconds", "8");
    assertEquals(0, number(result));
    assertEquals("lost", result.get("unit"));
  }

  @Test
  @Tag("D12")
  @Tag("deep")
  void saturatedRailsAreNotSuspected() throws Exception {
    Map<String, Object> result = result("soak", "--seconds", "5");
    assertEquals(0, number(result), "alarms");
    assertEquals("alarms", result.get("unit"));
  }

  @Test
  void rejectsAnUnknownExperimentAndListsTheValidOnes() throws Exception {
    Command.Ended ended = Command.run("netlab", "three-rails");

    assertEquals(2, ended.code());
    assertTrue(ended.err().contains("two-rails, four-rails"), ended.err());
  }
}
