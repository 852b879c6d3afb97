package io.railflux;

/** The number of repetitions of a test: one pass by default, many with {@code mvn -Pdeep}. */
public final class Depth {

  private static final boolean DEEP = Boolean.getBoolean("railflux.test.deep");

  private Depth() {}

  public static int of(int quick, int deep) {
    return DEEP ? deep : quick;
  }
}
