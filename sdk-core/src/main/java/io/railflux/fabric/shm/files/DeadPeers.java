package io.railflux.fabric.shm.files;

import java.util.ArrayList;
import java.util.List;

/**
 * Removes the files of dead peers.
 *
 * <p>The kernel releases the locks of a dying process before it closes its sockets, so the first attempt finds the
 * lock free. Later attempts cover a process that is alive and lost only this connection: its other endpoints still
 * use the directory, and it may die later.
 */
public final class DeadPeers {

  private static final long RETRY_NANOS = 100_000_000L;
  private static final int MAX_TRIES = 10;

  private final StaleFiles stale;
  private final List<Suspect> suspects = new ArrayList<>();

  public DeadPeers(StaleFiles stale) {
    this.stale = stale;
  }

  /** Attempts the removal at once, and again later if the process is alive. */
  public void suspect(ProcessIdentity peer, long nowNanos) {
    if (!stale.sweep(peer)) {
      suspects.add(new Suspect(peer, nowNanos));
    }
  }

  public void poll(long nowNanos) {
    if (!suspects.isEmpty()) {
      suspects.removeIf(suspect -> suspect.settled(nowNanos));
    }
  }

  /** Last attempt before the fabric closes. */
  public void close() {
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
