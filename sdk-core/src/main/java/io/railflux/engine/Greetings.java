package io.railflux.engine;

import io.railflux.wire.Bits256;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Nonces of the HELLOs that were proven lately. Whoever recorded one and says it again gets no further, as
 * it cannot say the next message; but it would cost a key agreement each time. Engine thread only.
 */
final class Greetings {

  private static final int REMEMBERED = 4_096;

  private final Set<Bits256> heard = new LinkedHashSet<>();

  /** Whether it is new; from now on it is not. */
  boolean isNew(Bits256 nonce) {
    if (!heard.add(nonce)) {
      return false;
    }
    if (heard.size() > REMEMBERED) {
      heard.remove(heard.iterator().next());
    }
    return true;
  }
}
