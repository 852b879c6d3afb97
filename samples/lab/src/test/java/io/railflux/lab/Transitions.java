package io.railflux.lab;

import java.util.Set;
import java.util.TreeSet;

/** What the state machines became, as those tell that {@link TransitionsTest} compiled with a call of this. */
public final class Transitions {

  private static final Set<String> TAKEN = new TreeSet<>();

  private Transitions() {}

  /** By the thread that runs the simulation, the only one. */
  public static void take(Enum<?> from, Enum<?> to) {
    TAKEN.add(transition(from, to));
  }

  /** Each once, by the classes of this loader. */
  public static Set<String> taken() {
    return TAKEN;
  }

  static String transition(Enum<?> from, Enum<?> to) {
    Class<?> states = from.getDeclaringClass();
    String owner = states.getDeclaringClass().getSimpleName();
    return owner + "." + states.getSimpleName() + " " + from + " -> " + to;
  }
}
