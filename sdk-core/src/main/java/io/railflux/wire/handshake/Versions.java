package io.railflux.wire.handshake;

import java.util.OptionalInt;

/** Range of protocol versions of a node, each 1 to 65535. */
public record Versions(int min, int max) {
  /** Versions of this build. A build of version n + 1 keeps n in its range. */
  public static final Versions SUPPORTED = new Versions(1, 1);

  /** Validates the range. */
  public Versions {
    if (min < 1 || max < min || max > 0xFFFF) {
      throw new IllegalArgumentException("versions " + min + " to " + max + " are no range");
    }
  }

  /** Returns the highest common version, or empty. Both sides compute the same. */
  public OptionalInt negotiate(Versions other) {
    int highest = Math.min(max, other.max);
    return highest >= Math.max(min, other.min) ? OptionalInt.of(highest) : OptionalInt.empty();
  }
}
