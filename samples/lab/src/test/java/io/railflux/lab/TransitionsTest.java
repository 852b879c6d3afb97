package io.railflux.lab;

import static io.railflux.lab.Mutation.mutation;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The simulation takes each transition of each state machine of the engine, with all promises checked. */
@Tag("FT2")
@Tag("FT4")
class TransitionsTest {

  private static final int SEEDS = 1_000;

  /**
   * What the unit tests of the engine take instead, by how it begins: PathProbeTest all of the first, which needs ten
   * seconds of load, RendezvousGrantsTest the other, which needs a peer that breaks the protocol.
   */
  private static final List<String> ELSEWHERE =
      List.of("PathProbeState", "RendezvousSendState WRITING -> OVER");

  private static final String ENGINE = "engine/";

  @Test
  void takesEachTransitionThereIs() throws Exception {
    List<String> machines = machines();
    ClassLoader classes = MutatedClasses.with(
        machines.stream().map(TransitionsTest::telling).toArray(Mutation[]::new));
    Set<String> missing = new TreeSet<>();
    for (String machine : machines) {
      missing.addAll(allowed(machine));
    }
    for (String elsewhere : ELSEWHERE) {
      assertTrue(missing.removeIf(transition -> transition.startsWith(elsewhere)), elsewhere);
    }
    for (int seed = 1; seed <= SEEDS && !missing.isEmpty(); seed++) {
      assertEquals(null, MutationTest.search(classes, seed, seed), "a promise is broken");
      missing.removeAll(taken(classes));
    }
    assertEquals(Set.of(), missing, "not taken within " + SEEDS + " seeds");
  }

  /** All that have a table of transitions. */
  private static List<String> machines() throws IOException {
    try (Stream<Path> files =
        Files.list(MutatedClasses.SOURCES.resolve("io/railflux").resolve(ENGINE))) {
      return files
          .map(file -> file.getFileName().toString().replace(".java", ""))
          .filter(name -> name.endsWith("State"))
          .sorted()
          .toList();
    }
  }

  private static Mutation telling(String machine) {
    String asked = "boolean canBecome(" + machine + " next) {";
    return mutation(
        machine + " tells",
        ENGINE + machine,
        asked,
        asked
            + " io.railflux.lab.Transitions.take(this, next); return allows(next); }"
            + " private boolean allows("
            + machine
            + " next) {");
  }

  private static Set<String> allowed(String machine) throws ReflectiveOperationException {
    Class<?> states = Class.forName("io.railflux.engine." + machine);
    Method canBecome = states.getDeclaredMethod("canBecome", states);
    canBecome.setAccessible(true);
    Set<String> allowed = new TreeSet<>();
    for (Object from : states.getEnumConstants()) {
      for (Object to : states.getEnumConstants()) {
        if ((boolean) canBecome.invoke(from, to)) {
          allowed.add(Transitions.transition((Enum<?>) from, (Enum<?>) to));
        }
      }
    }
    return allowed;
  }

  @SuppressWarnings("unchecked")
  private static Set<String> taken(ClassLoader classes) throws ReflectiveOperationException {
    return (Set<String>)
        classes.loadClass(Transitions.class.getName()).getMethod("taken").invoke(null);
  }
}
