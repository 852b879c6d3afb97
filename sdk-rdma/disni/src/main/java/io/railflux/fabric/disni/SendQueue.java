package io.railflux.fabric.disni;

import io.railflux.fabric.Completion;
import io.railflux.fabric.CompletionStatus;
import io.railflux.fabric.Opcode;
import io.railflux.fabric.WorkRequest;

/**
 * What the user posted and was not yet told the end of, in order, against how far the card and the
 * peer came. The card numbers its requests on its own: control messages are among them, requests that
 * were refused here are not. Engine thread only.
 */
final class SendQueue {

  /** Requests a user may have outstanding. */
  static final int DEPTH = 128;

  private static final int MASK = DEPTH - 1;
  private static final long NONE = Long.MAX_VALUE;

  private final long[] ids = new long[DEPTH];
  private final Opcode[] opcodes = new Opcode[DEPTH];
  private final boolean[] signaled = new boolean[DEPTH];
  private final CompletionStatus[] refusals = new CompletionStatus[DEPTH];

  /** The card's number of the request, or of the next one for those it never saw. */
  private final long[] sequences = new long[DEPTH];

  /** For what needs a receive over there its number among those, from 1; else 0. */
  private final long[] messages = new long[DEPTH];

  private long posted;
  private long ended;
  private long messageCount;
  private long takenByPeer;

  /** The card has done all before. */
  private long done;

  private long firstFailed = NONE;
  private CompletionStatus failure;
  private boolean flushing;

  boolean isFull() {
    return posted - ended == DEPTH;
  }

  boolean isEmpty() {
    return posted == ended;
  }

  /** @param sequence the card's number of it */
  void add(WorkRequest request, long sequence) {
    int index = enter(request, sequence);
    boolean message =
        request.opcode == Opcode.SEND || request.opcode == Opcode.WRITE_WITH_IMMEDIATE;
    messages[index] = message ? ++messageCount : 0;
    refusals[index] = null;
  }

  /**
   * One that never gets to the card.
   *
   * @param sequence the number the card's next request has
   */
  void refuse(WorkRequest request, long sequence, CompletionStatus refusal) {
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

  /** All requests before {@code sequence}, which are fewer than the queue holds, have ended. */
  long done() {
    return done;
  }

  void succeeded(long sequence) {
    done = Math.max(done, sequence + 1);
  }

  /** The first of these tells what is wrong, the others that they were flushed. */
  void failed(long sequence, CompletionStatus status) {
    if (firstFailed == NONE) {
      firstFailed = sequence;
      failure = status;
    }
    done = Math.max(done, sequence + 1);
  }

  /** Returns whether the peer can have taken so many. */
  boolean taken(long count) {
    if (count < takenByPeer || count > messageCount) {
      return false;
    }
    takenByPeer = count;
    return true;
  }

  /**
   * How the oldest request ended; null while it did not.
   *
   * @param over nothing more comes of the card nor of the peer
   */
  CompletionStatus head(boolean over) {
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
   * Describes the oldest request's end.
   *
   * @param status as {@link #head} said
   * @return whether the user is to hear of it
   */
  boolean end(CompletionStatus status, Completion completion) {
    int index = (int) ended & MASK;
    ended++;
    flushing |= status != CompletionStatus.SUCCESS;
    completion.set(ids[index], opcodes[index], status, 0, 0);
    return signaled[index] || status != CompletionStatus.SUCCESS;
  }
}
