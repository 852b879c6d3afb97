package io.railflux.buffer;

/**
 * A buffer that became unreachable without a release.
 *
 * @param pool name of its pool
 * @param bytes bytes of the budget that it held; they are available again
 * @param acquiredAt exception whose stack trace is the place of acquisition; null if it was not recorded
 * @param account report of the {@link LoanAccount} that it was charged to; null without an account
 */
public record BufferLeak(String pool, int bytes, Throwable acquiredAt, String account) {

  /** Returns pool, size and remedy. */
  public String describe() {
    if (account != null) {
      return account + "; " + bytes + " bytes are back in pool '" + pool + "'";
    }
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
