package io.railflux.samples.bench.peers;

import java.io.IOException;

/**
 * A way to carry messages of one size between two processes. A message begins with its number; the far side
 * reads what comes and counts it or sends it back.
 */
public interface Contender {

  /** The far side, in a process of its own, until it is closed. */
  Far serve(Job job) throws Exception;

  /** The near side. */
  Near connect(String address, Job job) throws Exception;

  /** A far side at work. */
  interface Far extends AutoCloseable {

    /** What the near side connects with; one word. */
    String address();

    @Override
    void close() throws IOException;
  }
}
