package io.railflux.buffer;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The loans of one borrower from one {@link BufferPool}, which can be written off together. Bytes of a written-off
 * loan no longer count against the budget, and its memory is never lent again: the buffer stays readable while it is
 * referenced, and the garbage collector frees it.
 *
 * <p>Loans are charged on the engine thread. Any thread may call the other methods.
 */
public final class LoanAccount {

  /** Far below zero, so that no loan raises the sum above it. */
  private static final long WRITTEN_OFF = Long.MIN_VALUE / 2;

  private final String leakReport;
  private final Runnable onReturn;

  /** Charged bytes; negative after the write-off. */
  private final AtomicLong heldBytes = new AtomicLong();

  // Written before the first loan is charged.
  private BufferPool pool;
  private volatile boolean silent;

  // Leak watch only.
  private long leaks;

  /**
   * Creates an account without loans.
   *
   * @param leakReport text of a leak report for a dropped loan, with the remedy
   * @param onReturn runs on the returning thread after each released or collected loan, and after the write-off; must
   *     be short and must not throw
   */
  public LoanAccount(String leakReport, Runnable onReturn) {
    this.leakReport = Objects.requireNonNull(leakReport, "leakReport");
    this.onReturn = Objects.requireNonNull(onReturn, "onReturn");
  }

  /**
   * Charges a loan once. A loan charged after the write-off is written off at once. Engine thread.
   *
   * @param loan not released; all loans of an account come from one pool
   */
  public void charge(PooledBuffer loan) {
    pool = loan.pool();
    int bytes = loan.chargeTo(this);
    if (heldBytes.addAndGet(bytes) < 0) {
      pool.writeOff(bytes);
      onReturn.run();
    }
  }

  /** Writes off all loans of this account, including later ones. Idempotent. */
  public void writeOff() {
    silent = true;
    long rest = heldBytes.getAndSet(WRITTEN_OFF);
    if (rest > 0) {
      pool.writeOff(rest);
      onReturn.run();
    }
  }

  /** From now on dropped loans return without a leak report. */
  public void expectDrops() {
    silent = true;
  }

  /** Whether any charged loan is neither returned nor written off. */
  public boolean isInUse() {
    return heldBytes.get() > 0;
  }

  /** A loan ends. Returns false for a written-off loan, whose bytes are already returned. */
  boolean settle(int bytes) {
    return heldBytes.addAndGet(-bytes) >= 0;
  }

  /** Runs after the pool has accounted for a settled loan. */
  void returned() {
    onReturn.run();
  }

  /** A loan was dropped. Returns the report at every power of two of them, otherwise null. Leak watch. */
  String leaked() {
    leaks++;
    if (silent || Long.bitCount(leaks) != 1) {
      return null;
    }
    return leaks == 1 ? leakReport : leakReport + " (" + leaks + " of them so far)";
  }
}
