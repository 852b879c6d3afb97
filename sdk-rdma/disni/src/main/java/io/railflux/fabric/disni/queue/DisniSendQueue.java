package io.railflux.fabric.disni.queue;

import io.railflux.fabric.Completion;
import io.railflux.fabric.CompletionStatus;
import io.railflux.fabric.Opcode;
import io.railflux.fabric.WorkRequest;

/**
 * Posted requests without a reported completion, in order, with the progress of card and peer. The numbers of the
 * card include control messages, and exclude requests refused here. Engine thread only.
 */
public final class DisniSendQueue {

  /** Largest number of outstanding requests. */
  public static final int DEPTH = 128;

  private static final int MASK = DEPTH - 1;
  private static final long NONE = Long.MAX_VALUE;

  private final long[] ids = new long[DEPTH];
  private final Opcode[] opcodes = new Opcode[DEPTH];
  private final boolean[] signaled = new boolean[DEPTH];
  private final CompletionStatus[] refusals = new CompletionStatus[DEPTH];

  /** Number of the request on the card, or of the next one for refused requests. */
  private final long[] sequences = new long[DEPTH];

  /** Number among requests that need a receive of the peer, from 1; otherwise 0. */
  private final long[] messages = new long[DEPTH];

  private long posted;
  private long ended;
  private long messageCount;
  private long takenByPeer;

  /** Number of requests that the card completed. */
  private long done;

  private long firstFailed = NONE;
  private CompletionStatus failure;
  private boolean flushing;

  public boolean isFull() {
    return posted - ended == DEPTH;
  }

  public boolean isEmpty() {
    return posted == ended;
  }

  /**
   * Adds a posted request.
   *
   * @param sequence number of the request on the card
   */
  public void add(WorkRequest request, long sequence) {
    int index = enter(request, sequence);
    boolean message =
        request.opcode == Opcode.SEND || request.opcode == Opcode.WRITE_WITH_IMMEDIATE;
    messages[index] = message ? ++messageCount : 0;
    refusals[index] = null;
  }

  /**
   * Adds a request that is not sent.
   *
   * @param sequence number of the next request of the card
   */
  public void refuse(WorkRequest request, long sequence, CompletionStatus refusal) {
    int index = enter(request, sequence);
    messages[index] = 0;
    refusals[index] = refusal;
  }

  private int enter(WorkRequest request, long sequence) {
    int index = (int) posted & MASK;
    ids[index] = request.id;
    opcodes[index] = request.opcode;
    signaled[index] = request.signaled;
    sequences[index] = sequence;
    posted++;
    return index;
  }

  /** All requests before {@code sequence}, fewer than the capacity, have completed. */
  public long done() {
    return done;
  }

  public void succeeded(long sequence) {
    done = Math.max(done, sequence + 1);
  }

  /** The first failure reports the cause; later ones report flushes. */
  public void failed(long sequence, CompletionStatus status) {
    if (firstFailed == NONE) {
      firstFailed = sequence;
      failure = status;
    }
    done = Math.max(done, sequence + 1);
  }

  /** Returns whether the count of the peer is possible. */
  public boolean taken(long count) {
    if (count < takenByPeer || count > messageCount) {
      return false;
    }
    takenByPeer = count;
    return true;
  }

  /**
   * Returns the status of the oldest request; null while it is pending.
   *
   * @param over whether card and peer report no further progress
   */
  public CompletionStatus head(boolean over) {
    if (isEmpty()) {
      return null;
    }
    int index = (int) ended & MASK;
    CompletionStatus refusal = refusals[index];
    long needed = sequences[index] + (refusal == null ? 1 : 0);
    if (flushing) {
      return over || done >= needed ? CompletionStatus.FLUSHED : null;
    }
    if (done < needed) {
      return over ? CompletionStatus.FLUSHED : null;
    }
    if (refusal != null) {
      return refusal;
    }
    if (sequences[index] >= firstFailed) {
      return sequences[index] == firstFailed ? failure : CompletionStatus.FLUSHED;
    }
    if (messages[index] <= takenByPeer) {
      return CompletionStatus.SUCCESS;
    }
    return over ? CompletionStatus.FLUSHED : null;
  }

  /**
   * Fills the completion of the oldest request.
   *
   * @param status result of {@link #head}
   * @return whether to report it
   */
  public boolean end(CompletionStatus status, Completion completion) {
    int index = (int) ended & MASK;
    ended++;
    flushing |= status != CompletionStatus.SUCCESS;
    completion.set(ids[index], opcodes[index], status, 0, 0);
    return signaled[index] || status != CompletionStatus.SUCCESS;
  }
}
