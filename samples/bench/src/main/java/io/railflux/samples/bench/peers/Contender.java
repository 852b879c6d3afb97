package io.railflux.samples.bench.peers;

import java.io.IOException;

/**
 * A transport for messages of one size between two processes. A message begins with its number. The far side reads
 * messages and counts them or returns them.
 */
public interface Contender {

  /** Starts the far side, which runs in its own process until it is closed. */
  Far serve(Job job) throws Exception;

  /** Connects the near side. */
  Near connect(String address, Job job) throws Exception;

  /** A running far side. */
  interface Far extends AutoCloseable {

    /** Returns the address for the near side, without spaces. */
    String address();

    @Override
    void close() throws IOException;
  }
}
