package io.railflux.samples.bench.peers;

import io.railflux.samples.cli.measure.Sample;
import java.io.IOException;

/** The measuring side. Called by one thread. */
public interface Near extends AutoCloseable {

  /** Sends one way for a time until the far side reports its count, or runs round trips with one message in flight. */
  Sample round(long nanos) throws Exception;

  /** Runs {@link #round} without measuring, with the given pause before each round trip if the rounds have pauses. */
  default void warmUp(long nanos, long pauseNanos) throws Exception {
    round(nanos);
  }

  /** Stays connected without traffic, and waits as in a round. */
  void rest(long nanos) throws Exception;

  @Override
  void close() throws IOException;
}
