package io.railflux;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * Cycles of top-level classes in the bytecode: sets of classes in which each class reaches every other. A nested class
 * counts as its top-level class.
 */
class ClassCyclesTest {

  private static final int MAX_CLASSES = 10;

  /** Packages with a limit of their own, which may only be lowered. */
  private static final Map<String, Integer> KNOWN = Map.of("io.railflux", 2);

  private final Map<String, Set<String>> uses = uses();
  private final Map<String, Integer> indices = new HashMap<>();
  private final Map<String, Integer> lowest = new HashMap<>();
  private final ArrayDeque<String> stack = new ArrayDeque<>();
  private final List<Set<String>> cycles = new ArrayList<>();

  private static Map<String, Set<String>> uses() {
    JavaClasses classes = new ClassFileImporter()
        .withImportOption(new ImportOption.DoNotIncludeTests())
        .importPackages("io.railflux");
    Map<String, Set<String>> uses = new TreeMap<>();
    for (JavaClass type : classes) {
      Set<String> used = uses.computeIfAbsent(outermost(type), name -> new TreeSet<>());
      type.getDirectDependenciesFromSelf().stream()
          .map(dependency -> dependency.getTargetClass().getBaseComponentType())
          .filter(target -> target.getPackageName().startsWith("io.railflux"))
          .forEach(target -> used.add(outermost(target)));
    }
    return uses;
  }

  private static String outermost(JavaClass type) {
    return type.getEnclosingClass().map(ClassCyclesTest::outermost).orElse(type.getName());
  }

  private static String packageOf(String type) {
    return type.substring(0, type.lastIndexOf('.'));
  }

  private List<Set<String>> cycles() {
    for (String type : uses.keySet()) {
      if (!indices.containsKey(type)) {
        visit(type);
      }
    }
    return cycles;
  }

  /** Tarjan's algorithm. */
  private int visit(String type) {
    int index = indices.size();
    indices.put(type, index);
    lowest.put(type, index);
    stack.push(type);
    for (String used : uses.get(type)) {
      if (!indices.containsKey(used)) {
        lowest.merge(type, visit(used), Math::min);
      } else if (stack.contains(used)) {
        lowest.merge(type, indices.get(used), Math::min);
      }
    }
    if (lowest.get(type) == index) {
      Set<String> cycle = new TreeSet<>();
      do {
        cycle.add(stack.peek());
      } while (!stack.pop().equals(type));
      cycles.add(cycle);
    }
    return lowest.get(type);
  }

  @Test
  void noCycleSpansPackages() {
    List<Set<String>> spanning = cycles().stream()
        .filter(
            cycle -> cycle.stream().map(ClassCyclesTest::packageOf).distinct().count() > 1)
        .toList();

    assertEquals(List.of(), spanning);
  }

  @Test
  void noCycleIsLargerThanItsLimit() {
    List<Set<String>> large = cycles().stream()
        .filter(cycle ->
            cycle.size() > KNOWN.getOrDefault(packageOf(cycle.iterator().next()), MAX_CLASSES))
        .toList();

    assertEquals(List.of(), large);
  }
}
