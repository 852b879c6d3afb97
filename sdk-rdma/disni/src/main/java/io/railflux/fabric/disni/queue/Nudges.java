package io.railflux.fabric.disni.queue;

/** Counts control messages: those that an endpoint owes its peer, and those that it may send. Engine thread. */
public final class Nudges {

  /** Slots of the peer for control messages. */
  public static final int LIMIT = 32;

  /** Reserved for acknowledging control messages of the peer; otherwise both sides could wait forever. */
  private static final int RESERVE = 2;

  private long sent;
  private long confirmedByPeer;
  private long seen;
  private long confirmed;
  private long reportedTaken;
  private boolean wakeUpOwed;

  /** The peer must poll earlier requests. */
  public void oweWakeUp() {
    wakeUpOwed = true;
  }

  public boolean isOwed(long taken) {
    return wakeUpOwed || taken != reportedTaken || mustConfirm();
  }

  public boolean isAllowed() {
    long free = LIMIT - (sent - confirmedByPeer);
    return free > (mustConfirm() ? 0 : RESERVE);
  }

  private boolean mustConfirm() {
    return seen - confirmed >= LIMIT / 2;
  }

  public long seen() {
    return seen;
  }

  public void sent(long taken) {
    sent++;
    wakeUpOwed = false;
    reportedTaken = taken;
    confirmed = seen;
  }

  /** A control message arrived; returns whether its count is possible. */
  public boolean received(long newConfirmedByPeer) {
    seen++;
    if (newConfirmedByPeer < confirmedByPeer || newConfirmedByPeer > sent) {
      return false;
    }
    confirmedByPeer = newConfirmedByPeer;
    return true;
  }
}
