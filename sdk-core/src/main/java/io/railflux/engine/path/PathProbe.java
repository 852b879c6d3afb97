package io.railflux.engine.path;

import java.util.Locale;

/**
 * Finds by trial how many connections speed up large messages (MR8: V 7.1, on the number of paths). More
 * connections help if a network spreads them over several links, or limits each of them; elsewhere they only have a
 * cost. Under a lasting load of large messages the probe adds a connection. The connection stays if it raises the
 * total rate of all paths. Engine thread only.
 */
public final class PathProbe {

  /**
   * State of the search for a further connection. Allowed transitions:
   *
   * <pre>
   *   WATCHING  --rate of a lasting load known-----------------------> TRYING
   *   TRYING    --connection established-----------------------------> MEASURING
   *   MEASURING --faster: connection kept----------------------------> WATCHING
   *   MEASURING --not faster-----------------------------------------> RESTING
   *   TRYING    --connection impossible------------------------------> RESTING
   *   TRYING, MEASURING --connection lost or removed-----------------> RESTING
   *   TRYING, MEASURING --load ended, or other paths came or went----> RESTING
   *   WATCHING  --no address accepts more----------------------------> RESTING
   *   RESTING   --pause over-----------------------------------------> WATCHING
   * </pre>
   */
  public enum State {
    /** Measures the total rate of the existing paths. */
    WATCHING,
    /** Establishes a further connection. */
    TRYING,
    /** Measures the total rate with the further connection. */
    MEASURING,
    /** The last connection brought no gain or no result; the next trial follows later. */
    RESTING;

    public boolean canBecome(State next) {
      return switch (this) {
        case WATCHING -> next == TRYING || next == RESTING;
        case TRYING -> next == MEASURING || next == RESTING;
        case MEASURING -> next == WATCHING || next == RESTING;
        case RESTING -> next == WATCHING;
      };
    }
  }

  /** Interval of {@link #tick} under load. */
  public static final long TICK_NANOS = 100_000_000;

  /** Gain that a further connection requires, relative to the rate without it; above the natural variation of rates. */
  static final double MIN_GAIN = 1.1;

  /** Duration of a load before the first trial, which disturbs the load for some seconds. */
  static final long LASTING_NANOS = 10_000_000_000L;

  /** Shortest time under load for the rate without the connection; the rate with it takes less time. */
  static final long WATCH_NANOS = 5_000_000_000L;

  static final long MEASURE_NANOS = 2_000_000_000L;

  /** Time until a load or a new path is fully used. */
  static final long SETTLE_NANOS = 500_000_000;

  /** Pause that ends a load. */
  static final long LOAD_ENDS_NANOS = 1_000_000_000;

  /** Time without progress that ends a load: it waits for its receiver or for a path. */
  static final long STALL_NANOS = 10_000_000_000L;

  /** Bound of a connection attempt; on a busy path a handshake may need several attempts. */
  static final long TRY_NANOS = 10_000_000_000L;

  /** Short, because the next connection may take another link if the network spreads them randomly. */
  static final long FIRST_REST_NANOS = 10_000_000_000L;

  static final long LONGEST_REST_NANOS = 3_600_000_000_000L;

  /** Number of pieces that a rate needs, because pieces in flight together arrive in bursts. */
  static final int MIN_PIECES = 128;

  /** The connection on trial. */
  public interface Trial {

    /** Starts a connection; returns false if no address accepts more. */
    boolean begin();

    boolean isConnected();

    boolean isLost();

    void keep(String reason);

    void drop(String reason);
  }

  private final Trial trial;
  private State state = State.WATCHING;
  private double rateWithout;
  private long restNanos = FIRST_REST_NANOS;
  private long restUntilNanos;
  private int paths;

  // Sums for the current rate, over the time under load.
  private long measuredNanos;
  private long measuredBytes;
  private long measuredPieces;

  // Values at the last tick.
  private long lastNanos;
  private long lastBytes;
  private long lastPieces;
  private boolean wasBusy;

  // Start of the load, its last observation, its last progress, and the last change of the state.
  private long loadNanos;
  private long busyNanos;
  private long movedNanos;
  private long sinceNanos;

  public PathProbe(Trial trial) {
    this.trial = trial;
  }

  State state() {
    return state;
  }

  private void become(State next) {
    if (!state.canBecome(next)) {
      throw new IllegalStateException("path probe: " + state + " cannot become " + next);
    }
    state = next;
  }

  /** A load begins after none; {@link #tick} is called from now on. */
  public void loadBegins(long nowNanos) {
    loadNanos = nowNanos;
    busyNanos = nowNanos;
    movedNanos = nowNanos;
    sinceNanos = nowNanos;
    wasBusy = false;
    forgetRate();
  }

  /**
   * Called every {@link #TICK_NANOS} under load.
   *
   * @param busy whether large messages are in flight
   * @param livePaths live paths to the peer, including the one on trial
   * @return whether the load continues
   */
  public boolean tick(long nowNanos, LargeTraffic traffic, boolean busy, int livePaths) {
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
    boolean mayContinue =
        nowNanos - busyNanos < LOAD_ENDS_NANOS && nowNanos - movedNanos < STALL_NANOS;
    step(nowNanos, livePaths, mayContinue);
    return mayContinue;
  }

  private void step(long nowNanos, int livePaths, boolean load) {
    switch (state) {
      case WATCHING -> watch(nowNanos, livePaths, load);
      case TRYING -> await(nowNanos, livePaths, load);
      case MEASURING -> measure(nowNanos, livePaths, load);
      case RESTING -> {
        if (nowNanos - restUntilNanos >= 0) {
          become(State.WATCHING);
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
        become(State.TRYING);
        sinceNanos = nowNanos;
      } else {
        rest(nowNanos, FIRST_REST_NANOS);
      }
    }
  }

  private void await(long nowNanos, int livePaths, boolean load) {
    int expected = trial.isConnected() ? paths + 1 : paths;
    if (breaksOff(nowNanos, load, livePaths != expected)) {
      return;
    }
    if (nowNanos - sinceNanos > TRY_NANOS) {
      trial.drop("it could not be established");
      restLonger(nowNanos);
    } else if (trial.isConnected()) {
      become(State.MEASURING);
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

  /** Whether the current measurement is useless for the connection on trial. */
  private boolean breaksOff(long nowNanos, boolean load, boolean others) {
    if (load && !others && !trial.isLost()) {
      return false;
    }
    if (trial.isLost()) {
      trial.drop("it was lost or removed");
      restLonger(nowNanos);
    } else {
      trial.drop(
          load ? "other paths joined or were lost" : "the load ended before it was measured");
      rest(nowNanos, FIRST_REST_NANOS);
    }
    return true;
  }

  private void judge(long nowNanos, int livePaths) {
    double gain = rate() / rateWithout;
    String measured = String.format(Locale.ROOT, "%.2f of the rate without it", gain);
    if (gain >= MIN_GAIN) {
      trial.keep(measured);
      restNanos = FIRST_REST_NANOS;
      become(State.WATCHING);
      restart(nowNanos, livePaths);
    } else {
      trial.drop(measured);
      restLonger(nowNanos);
    }
  }

  /** Rests twice as long as after the previous connection without a gain. */
  private void restLonger(long nowNanos) {
    rest(nowNanos, restNanos);
    restNanos = Math.min(2 * restNanos, LONGEST_REST_NANOS);
  }

  private void rest(long nowNanos, long nanos) {
    become(State.RESTING);
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

  private boolean isMeasured(long minNanos) {
    return measuredNanos >= minNanos && measuredPieces >= MIN_PIECES;
  }

  private double rate() {
    return (double) measuredBytes / measuredNanos;
  }
}
