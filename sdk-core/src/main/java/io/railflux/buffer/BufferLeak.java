package io.railflux.buffer;

/**
 * A buffer that became unreachable without having been released.
 *
 * @param pool name of the pool it came from
 * @param bytes how many bytes of the budget it held; they are available again
 * @param acquiredAt an exception whose stack trace is the place of acquisition; null when that was
 *     not recorded for this buffer
 */
public record BufferLeak(String pool, int bytes, Throwable acquiredAt) {

  /** What was leaked, from which pool, and what to do. */
  public String describe() {
    return "a buffer of "
        + bytes
        + " bytes from pool '"
        + pool
        + "' was dropped without release; "
        + (acquiredAt == null
            ? "set leak detection to ALL to see where it was acquired"
            : "it was acquired at the place below");
  }
}
