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

  /** Stays connected, with nothing to do, but waits as it does in a round. */
  void rest(long nanos) throws Exception;

  @Override
  void close() throws IOException;
}
