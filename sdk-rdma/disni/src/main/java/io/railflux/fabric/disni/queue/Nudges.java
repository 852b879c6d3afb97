package io.railflux.fabric.disni.queue;

/** Counts control messages: those that an endpoint owes its peer, and those that it may send. Engine thread. */
public final class Nudges {

  /** Slots of the peer for control messages. */
  public static final int LIMIT = 32;

  /** Reserved for acknowledging control messages of the peer; otherwise both sides could wait for ever. */
  private static final int RESERVE = 2;

  private long sent;
  private long heardByPeer;
  private long heard;
  private long toldHeard;
  private long toldTaken;
  private boolean wakeUpOwed;

  /** The peer must poll earlier requests. */
  public void oweWakeUp() {
    wakeUpOwed = true;
  }

  public boolean isOwed(long taken) {
    return wakeUpOwed || taken != toldTaken || mustTellHeard();
  }

  public boolean isAllowed() {
    long free = LIMIT - (sent - heardByPeer);
    return free > (mustTellHeard() ? 0 : RESERVE);
  }

  private boolean mustTellHeard() {
    return heard - toldHeard >= LIMIT / 2;
  }

  public long heard() {
    return heard;
  }

  public void sent(long taken) {
    sent++;
    wakeUpOwed = false;
    toldTaken = taken;
    toldHeard = heard;
  }

  /** A control message arrived; returns whether its count is possible. */
  public boolean hear(long newHeardByPeer) {
    heard++;
    if (newHeardByPeer < heardByPeer || newHeardByPeer > sent) {
      return false;
    }
    heardByPeer = newHeardByPeer;
    return true;
  }
}
