package io.railflux;

/** How often a test repeats itself: enough for one pass by default, many times with {@code mvn -Pdeep}. */
public final class Depth {

  private static final boolean DEEP = Boolean.getBoolean("railflux.test.deep");

  private Depth() {}

  public static int of(int quick, int deep) {
    return DEEP ? deep : quick;
  }
}
