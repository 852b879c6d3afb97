package io.railflux.wire;

import java.util.OptionalInt;

/** The range of protocol versions a node speaks, each 1 to 65535. */
public record Versions(int min, int max) {
  /** What this build speaks. A build of version n + 1 keeps n in its range. */
  public static final Versions SUPPORTED = new Versions(1, 1);

  /** Checks the range. */
  public Versions {
    if (min < 1 || max < min || max > 0xFFFF) {
      throw new IllegalArgumentException("versions " + min + " to " + max + " are no range");
    }
  }

  /** The highest version both speak, or empty. Both sides compute the same. */
  public OptionalInt negotiate(Versions other) {
    int highest = Math.min(max, other.max);
    return highest >= Math.max(min, other.min) ? OptionalInt.of(highest) : OptionalInt.empty();
  }
}
