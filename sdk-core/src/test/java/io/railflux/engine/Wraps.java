package io.railflux.engine;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;

/** Initial numbers shortly before every possible overflow. */
public final class Wraps {

  private static final long BEFORE = 20;

  private Wraps() {}

  public static long[] all() {
    return new long[] {
      0, (1L << 31) - BEFORE, (1L << 32) - BEFORE, Long.MAX_VALUE - BEFORE, -BEFORE, -1
    };
  }

  public static Arbitrary<Long> arbitrary() {
    Long[] firsts = new Long[all().length];
    for (int i = 0; i < firsts.length; i++) {
      firsts[i] = all()[i];
    }
    return Arbitraries.of(firsts);
  }
}
