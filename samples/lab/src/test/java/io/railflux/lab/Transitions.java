package io.railflux.lab;

import java.util.Set;
import java.util.TreeSet;

/**
 * Records the transitions of state machines. {@link TransitionsTest} compiles the machines with a call of this class.
 */
public final class Transitions {

  private static final Set<String> TAKEN = new TreeSet<>();

  private Transitions() {}

  /** Records a transition. Called on the only thread of the simulation. */
  public static void take(Enum<?> from, Enum<?> to) {
    TAKEN.add(transition(from, to));
  }

  /** Returns each transition once, as recorded by the classes of this loader. */
  public static Set<String> taken() {
    return TAKEN;
  }

  static String transition(Enum<?> from, Enum<?> to) {
    Class<?> states = from.getDeclaringClass();
    Class<?> outer = states.getDeclaringClass();
    String owner = outer == null ? "" : outer.getSimpleName() + ".";
    return owner + states.getSimpleName() + " " + from + " -> " + to;
  }
}
