package io.railflux.samples.cli.demo;

/**
 * What travels from the source to the sink.
 *
 * @param number counted from 0 at the source
 * @param sentNanos clock of the host when the source handed it over; all processes share that clock
 * @param payload bytes of a file, or a {@link Reading}
 */
record Event(Kind kind, long number, long sentNanos, byte[] payload) {

  enum Kind {
    FILE,
    CPU,
    MEMORY,
    DISK,
    NETWORK,
    PROCESSES;

    private static final Kind[] ALL = values();

    static Kind of(byte code) {
      if (code < 0 || code >= ALL.length) {
        throw new IllegalArgumentException("no event is of kind " + code);
      }
      return ALL[code];
    }

    boolean isReading() {
      return this != FILE;
    }
  }
}
