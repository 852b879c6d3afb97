package io.railflux.samples.bench.peers;

import io.railflux.samples.cli.measure.Sample;
import java.io.IOException;

/** The measuring side. Called by one thread. */
public interface Near extends AutoCloseable {

  /**
   * One way, as many as go in that time, until the far side has told how many it received; or round trips, one
   * message under way.
   */
  Sample round(long nanos) throws Exception;

  /** As {@link #round}, with that pause before each round trip where those of a round have one; counts for nothing. */
  default void warmUp(long nanos, long pauseNanos) throws Exception {
    round(nanos);
  }

  /** Stays connected, with nothing to do, but waits as it does in a round. */
  void rest(long nanos) throws Exception;

  @Override
  void close() throws IOException;
}
