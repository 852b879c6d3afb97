package io.railflux.fabric.shm;

import java.util.ArrayList;
import java.util.List;

/**
 * Clears up after peers that went without a word.
 *
 * <p>The kernel lets go a dying process' locks before it closes its sockets, so the first try finds
 * the lock free. The later ones are for a process that lives on and only closed this connection
 * badly: its other endpoints use the directory still, and it may die later.
 */
final class DeadPeers {

  private static final long RETRY_NANOS = 100_000_000L;
  private static final int MAX_TRIES = 10;

  private final StaleFiles stale;
  private final List<Suspect> suspects = new ArrayList<>();

  DeadPeers(StaleFiles stale) {
    this.stale = stale;
  }

  /** Tries at once, and again later if it lives. */
  void suspect(ProcessIdentity peer, long nowNanos) {
    if (!stale.sweep(peer)) {
      suspects.add(new Suspect(peer, nowNanos));
    }
  }

  void poll(long nowNanos) {
    if (!suspects.isEmpty()) {
      suspects.removeIf(suspect -> suspect.settled(nowNanos));
    }
  }

  /** Last chance before the fabric closes. */
  void close() {
    suspects.clear();
    stale.sweep();
  }

  private final class Suspect {
    private final ProcessIdentity peer;
    private long triedNanos;
    private int tries = 1;

    Suspect(ProcessIdentity peer, long triedNanos) {
      this.peer = peer;
      this.triedNanos = triedNanos;
    }

    boolean settled(long nowNanos) {
      if (nowNanos - triedNanos < RETRY_NANOS) {
        return false;
      }
      triedNanos = nowNanos;
      tries++;
      return stale.sweep(peer) || tries >= MAX_TRIES;
    }
  }
}
