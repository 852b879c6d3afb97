package io.railflux.engine;

import java.util.Locale;

/**
 * Finds by trial how many connections make large messages faster (MR8: V 7.1, where the number of paths is
 * chosen): where a network spreads connections over several links, or bounds each of them, further ones do; elsewhere
 * they only cost. While large messages keep the paths busy one is added, and stays if all paths together move
 * more with it than they did without. Engine thread only.
 */
final class PathProbe {

  /** How often it wants to be asked while there is a load. */
  static final long TICK_NANOS = 100_000_000;

  /** What a further connection has to bring, of the rate without it: more than rates differ by themselves. */
  static final double LEAST_GAIN = 1.1;

  /** A load is worth the first trial, which disturbs it for some seconds, when it lasted so long. */
  static final long LASTING_NANOS = 10_000_000_000L;

  /** The rate without a connection is of so much time under load at least, and that with it of less. */
  static final long WATCH_NANOS = 5_000_000_000L;

  static final long MEASURE_NANOS = 2_000_000_000L;

  /** Until a load, or a new path, is in full use. */
  static final long SETTLE_NANOS = 500_000_000;

  /** A load that pauses for so long is over. */
  static final long LOAD_ENDS_NANOS = 1_000_000_000;

  /** So does one of which nothing moves: it waits for its receiver, or for a path. */
  static final long STALL_NANOS = 10_000_000_000L;

  /** On a busy path a handshake may take some attempts. */
  static final long TRY_NANOS = 10_000_000_000L;

  /** Short: where connections are spread by chance, the next one may have more luck. */
  static final long FIRST_REST_NANOS = 10_000_000_000L;

  static final long LONGEST_REST_NANOS = 3_600_000_000_000L;

  /** Fewer do not make a rate: those under way together arrive in bunches. */
  static final int LEAST_PIECES = 128;

  /** The connection on trial. */
  interface Trial {

    /** Makes one; false where no address takes more. */
    boolean begin();

    boolean isThere();

    boolean isLost();

    void keep(String reason);

    void drop(String reason);
  }

  private final Trial trial;
  private PathProbeState state = PathProbeState.WATCHING;
  private double rateWithout;
  private long restNanos = FIRST_REST_NANOS;
  private long restUntilNanos;
  private int paths;

  // The rate that is being measured: of the time in which there was a load.
  private long measuredNanos;
  private long measuredBytes;
  private long measuredPieces;

  // As they were at the last tick.
  private long lastNanos;
  private long lastBytes;
  private long lastPieces;
  private boolean wasBusy;

  // Since when there is a load, when it was seen last, when something moved, and since when the
  // state is what it is.
  private long loadNanos;
  private long busyNanos;
  private long movedNanos;
  private long sinceNanos;

  PathProbe(Trial trial) {
    this.trial = trial;
  }

  PathProbeState state() {
    return state;
  }

  private void become(PathProbeState next) {
    if (!state.canBecome(next)) {
      throw new IllegalStateException("path probe: " + state + " cannot become " + next);
    }
    state = next;
  }

  /** There was none; {@link #tick} is called from now on. */
  void loadBegins(long nowNanos) {
    loadNanos = nowNanos;
    busyNanos = nowNanos;
    movedNanos = nowNanos;
    sinceNanos = nowNanos;
    wasBusy = false;
    forgetRate();
  }

  /**
   * To be called every {@link #TICK_NANOS} while there is a load.
   *
   * @param busy whether large messages are under way
   * @param livePaths to the peer, the one on trial included
   * @return whether the load goes on
   */
  boolean tick(long nowNanos, LargeTraffic traffic, boolean busy, int livePaths) {
    if (busy && wasBusy) {
      measuredNanos += nowNanos - lastNanos;
      measuredBytes += traffic.movedBytes() - lastBytes;
      measuredPieces += traffic.pieces() - lastPieces;
    }
    if (traffic.pieces() != lastPieces) {
      movedNanos = nowNanos;
    }
    lastNanos = nowNanos;
    lastBytes = traffic.movedBytes();
    lastPieces = traffic.pieces();
    wasBusy = busy;
    busyNanos = busy ? nowNanos : busyNanos;
    boolean goesOn = nowNanos - busyNanos < LOAD_ENDS_NANOS && nowNanos - movedNanos < STALL_NANOS;
    step(nowNanos, livePaths, goesOn);
    return goesOn;
  }

  private void step(long nowNanos, int livePaths, boolean load) {
    switch (state) {
      case WATCHING -> watch(nowNanos, livePaths, load);
      case TRYING -> await(nowNanos, livePaths, load);
      case MEASURING -> measure(nowNanos, livePaths, load);
      case RESTING -> {
        if (nowNanos - restUntilNanos >= 0) {
          become(PathProbeState.WATCHING);
          restart(nowNanos, livePaths);
        }
      }
    }
  }

  private void watch(long nowNanos, int livePaths, boolean load) {
    if (!load || livePaths != paths) {
      restart(nowNanos, livePaths);
    } else if (isSettling(nowNanos)) {
      forgetRate();
    } else if (isMeasured(WATCH_NANOS) && nowNanos - loadNanos >= LASTING_NANOS) {
      rateWithout = rate();
      if (trial.begin()) {
        become(PathProbeState.TRYING);
        sinceNanos = nowNanos;
      } else {
        rest(nowNanos, FIRST_REST_NANOS);
      }
    }
  }

  private void await(long nowNanos, int livePaths, boolean load) {
    int expected = trial.isThere() ? paths + 1 : paths;
    if (breaksOff(nowNanos, load, livePaths != expected)) {
      return;
    }
    if (nowNanos - sinceNanos > TRY_NANOS) {
      trial.drop("it could not be made");
      restLonger(nowNanos);
    } else if (trial.isThere()) {
      become(PathProbeState.MEASURING);
      restart(nowNanos, livePaths);
    }
  }

  private void measure(long nowNanos, int livePaths, boolean load) {
    if (breaksOff(nowNanos, load, livePaths != paths)) {
      return;
    }
    if (isSettling(nowNanos)) {
      forgetRate();
    } else if (isMeasured(MEASURE_NANOS)) {
      judge(nowNanos, livePaths);
    }
  }

  /** Whether what is measured now would say nothing about the connection on trial. */
  private boolean breaksOff(long nowNanos, boolean load, boolean others) {
    if (load && !others && !trial.isLost()) {
      return false;
    }
    if (trial.isLost()) {
      trial.drop("it was lost or removed");
      restLonger(nowNanos);
    } else {
      trial.drop(load ? "other paths came or went" : "the load ended before it was measured");
      rest(nowNanos, FIRST_REST_NANOS);
    }
    return true;
  }

  private void judge(long nowNanos, int livePaths) {
    double gain = rate() / rateWithout;
    String measured = String.format(Locale.ROOT, "%.2f of the rate without it", gain);
    if (gain >= LEAST_GAIN) {
      trial.keep(measured);
      restNanos = FIRST_REST_NANOS;
      become(PathProbeState.WATCHING);
      restart(nowNanos, livePaths);
    } else {
      trial.drop(measured);
      restLonger(nowNanos);
    }
  }

  /** Twice as long as the last time that a connection brought nothing. */
  private void restLonger(long nowNanos) {
    rest(nowNanos, restNanos);
    restNanos = Math.min(2 * restNanos, LONGEST_REST_NANOS);
  }

  private void rest(long nowNanos, long nanos) {
    become(PathProbeState.RESTING);
    restUntilNanos = nowNanos + nanos;
  }

  private boolean isSettling(long nowNanos) {
    return nowNanos - sinceNanos < SETTLE_NANOS;
  }

  private void restart(long nowNanos, int livePaths) {
    sinceNanos = nowNanos;
    paths = livePaths;
    forgetRate();
  }

  private void forgetRate() {
    measuredNanos = 0;
    measuredBytes = 0;
    measuredPieces = 0;
  }

  private boolean isMeasured(long leastNanos) {
    return measuredNanos >= leastNanos && measuredPieces >= LEAST_PIECES;
  }

  private double rate() {
    return (double) measuredBytes / measuredNanos;
  }
}
