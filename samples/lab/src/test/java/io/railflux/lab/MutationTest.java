package io.railflux.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The simulation finds each bug of {@link Mutations} within 3,000 seeds. */
@Tag("CH3")
@Tag("FT1")
@Tag("FT4")
@Tag("MR3")
@Tag("MR6")
@Tag("RV1")
@Tag("RV2")
@Tag("deep")
class MutationTest {

  private static final int SEEDS = 3_000;

  /** Seeds of the control run: more than any mutation needs. */
  private static final int CONTROL_SEEDS = 200;

  @ParameterizedTest(name = "{0}")
  @MethodSource("io.railflux.lab.Mutations#all")
  void findsTheBug(Mutation mutation) {
    Finding finding = search(MutatedClasses.with(mutation), 1, SEEDS);
    assertTrue(finding != null, () -> "not found within " + SEEDS + " seeds: " + mutation);
    System.out.println("mutation: " + mutation + " | found by seed " + finding);
  }

  @Test
  void findsNothingInTheUnchangedSources() {
    assertEquals(null, search(MutatedClasses.unchanged(), 1, CONTROL_SEEDS));
  }

  @Test
  void coversEnoughKindsOfBugs() {
    assertTrue(Mutations.all().count() >= 15);
  }

  /** A seed and its violation. */
  record Finding(long seed, String text) {

    @Override
    public String toString() {
      return seed + " | " + text.substring(0, Math.min(110, text.length()));
    }
  }

  /** Returns the first violation, or null. */
  static Finding search(ClassLoader classes, int from, int upTo) {
    for (long seed = from; seed <= upTo; seed++) {
      List<String> lines = new ArrayList<>();
      try {
        if (!passes(classes, seed, lines::add)) {
          return new Finding(seed, lines.isEmpty() ? "" : lines.get(0));
        }
      } catch (ReflectiveOperationException e) {
        if (!(e.getCause() instanceof RuntimeException)) {
          throw new LinkageError("the mutated classes cannot run", e);
        }
        return new Finding(seed, String.valueOf(e.getCause()));
      }
    }
    return null;
  }

  private static boolean passes(ClassLoader classes, long seed, Consumer<String> lines)
      throws ReflectiveOperationException {
    Object report = classes
        .loadClass("io.railflux.lab.Simulator")
        .getMethod("run", long.class, int.class, Consumer.class)
        .invoke(null, seed, 1, lines);
    return (boolean) report.getClass().getMethod("passed").invoke(report);
  }
}
