package io.railflux.lab;

import static io.railflux.lab.Mutation.mutation;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The simulation takes each transition of each state machine of engine and endpoints, with all invariants checked. */
@Tag("CH3")
@Tag("FT2")
@Tag("FT4")
class TransitionsTest {

  private static final int SEEDS = 3_000;

  /** The number of state machines of engine and endpoints. A change of this number must be intended. */
  private static final int MACHINES = 15;

  private static final Path ROOT = MutatedClasses.SOURCES.resolve("io/railflux");
  private static final Pattern CAN_BECOME =
      Pattern.compile("boolean canBecome\\((\\w+) next\\) \\{");

  /**
   * Prefixes of transitions that unit tests take instead. PathProbeTest takes those of the probe, which need ten
   * seconds of load. RendezvousSendsTest takes the second, which needs a peer that violates the protocol. TurnPlacesTest
   * takes the last.
   */
  private static final List<String> ELSEWHERE = List.of(
      "PathProbe.State",
      "RendezvousSend.State WRITING -> OVER",
      "ByteFairMerge.Place FIRST -> QUEUED");

  @Test
  void takesEachTransition() throws Exception {
    List<Machine> machines = machines();
    assertEquals(MACHINES, machines.size(), machines.toString());
    ClassLoader classes =
        MutatedClasses.with(machines.stream().map(Machine::recording).toArray(Mutation[]::new));
    Set<String> missing = new TreeSet<>();
    for (Machine machine : machines) {
      missing.addAll(machine.allowed());
    }
    for (String elsewhere : ELSEWHERE) {
      assertTrue(missing.removeIf(transition -> transition.startsWith(elsewhere)), elsewhere);
    }
    for (int seed = 1; seed <= SEEDS && !missing.isEmpty(); seed++) {
      assertEquals(null, MutationTest.search(classes, seed, seed), "an invariant is violated");
      missing.removeAll(taken(classes));
    }
    assertEquals(Set.of(), missing, "not taken within " + SEEDS + " seeds");
  }

  /**
   * An enum with a table of transitions, most often nested in the class that passes through its states.
   *
   * @param file below {@code io/railflux}, without the ending
   */
  private record Machine(String file, String name) {

    /** Returns the machines of a source file. */
    private static Stream<Machine> in(String file) {
      return CAN_BECOME
          .matcher(source(file))
          .results()
          .map(table -> new Machine(file, table.group(1)));
    }

    private static String source(String file) {
      try {
        return Files.readString(ROOT.resolve(file + ".java"));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    private Mutation recording() {
      String table = "boolean canBecome(" + name + " next) {";
      return mutation(
          file + " records its transitions",
          file,
          table,
          table
              + " io.railflux.lab.Transitions.take(this, next); return allows(next); }"
              + " private boolean allows("
              + name
              + " next) {");
    }

    private Set<String> allowed() throws ReflectiveOperationException {
      String outer = "io.railflux." + file.replace('/', '.');
      Class<?> states = Class.forName(outer.endsWith("." + name) ? outer : outer + "$" + name);
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
  }

  private static List<Machine> machines() throws IOException {
    try (Stream<Path> files = Files.walk(ROOT.resolve("engine"))) {
      return Stream.concat(files, Stream.of(ROOT.resolve("fabric/EndpointState.java")))
          .map(file -> ROOT.relativize(file).toString())
          .filter(file -> file.endsWith(".java"))
          .map(file -> file.replace(".java", ""))
          .sorted()
          .flatMap(Machine::in)
          .toList();
    }
  }

  @SuppressWarnings("unchecked")
  private static Set<String> taken(ClassLoader classes) throws ReflectiveOperationException {
    return (Set<String>)
        classes.loadClass(Transitions.class.getName()).getMethod("taken").invoke(null);
  }
}
