package io.railflux.fabric.disni;

/**
 * When an endpoint owes its peer a control message, and whether it may send one. Counts only; engine
 * thread.
 */
final class Nudges {

  /** Control messages the peer has slots for. */
  static final int LIMIT = 32;

  /** Kept back for telling the peer that its own were heard: else both sides could wait for ever. */
  private static final int RESERVE = 2;

  private long sent;
  private long heardByPeer;
  private long heard;
  private long toldHeard;
  private long toldTaken;
  private boolean wakeUpOwed;

  /** The peer is to look at what was posted before. */
  void oweWakeUp() {
    wakeUpOwed = true;
  }

  boolean isOwed(long taken) {
    return wakeUpOwed || taken != toldTaken || mustTellHeard();
  }

  boolean isAllowed() {
    long free = LIMIT - (sent - heardByPeer);
    return free > (mustTellHeard() ? 0 : RESERVE);
  }

  private boolean mustTellHeard() {
    return heard - toldHeard >= LIMIT / 2;
  }

  long heard() {
    return heard;
  }

  void sent(long taken) {
    sent++;
    wakeUpOwed = false;
    toldTaken = taken;
    toldHeard = heard;
  }

  /** One came; returns whether its count of heard ones is possible. */
  boolean hear(long newHeardByPeer) {
    heard++;
    if (newHeardByPeer < heardByPeer || newHeardByPeer > sent) {
      return false;
    }
    heardByPeer = newHeardByPeer;
    return true;
  }
}
