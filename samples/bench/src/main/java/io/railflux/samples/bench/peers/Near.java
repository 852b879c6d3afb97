package io.railflux.samples.bench.peers;

import io.railflux.samples.cli.measure.Sample;
import java.io.IOException;

/** The measuring side. Called by one thread; a job is either one way or round trips. */
public interface Near extends AutoCloseable {

  /** As many as go in that time; it ends when the far side has told how many it received. */
  Sample oneWay(long nanos) throws Exception;

  /** One message under way. */
  Sample roundTrips(long nanos) throws Exception;

  @Override
  void close() throws IOException;
}
