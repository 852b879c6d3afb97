package io.railflux.samples.cli.demo;

/**
 * A message from the source to the sink.
 * @param number counted from 0 at the source
 * @param sentNanos host clock at the time of sending; all processes share that clock
 * @param payload bytes of a file, or a {@link Reading}
 */
@SuppressWarnings("ArrayRecordComponent") // Never compared, and never modified after construction.
record Event(Kind kind, long number, long sentNanos, byte[] payload) {

  enum Kind {
    FILE(0),
    CPU(1),
    MEMORY(2),
    DISK(3),
    NETWORK(4),
    PROCESSES(5);

    static final int COUNT = 6;
    private static final Kind[] ALL = values();

    /** The wire code, which is also an index. */
    final byte code;

    Kind(int code) {
      this.code = (byte) code;
    }

    static Kind of(byte code) {
      for (Kind kind : ALL) {
        if (kind.code == code) {
          return kind;
        }
      }
      throw new IllegalArgumentException("no event is of kind " + code);
    }

    boolean isReading() {
      return this != FILE;
    }
  }
}
