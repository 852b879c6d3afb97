package io.railflux.fabric.disni.queue;

import io.railflux.fabric.Completion;
import io.railflux.fabric.CompletionStatus;
import io.railflux.fabric.LocalMemory;
import io.railflux.fabric.Opcode;
import io.railflux.fabric.disni.memory.RegisteredMemory;

/** Posted receives and received messages, each in order; the first of both belong together. Engine thread only. */
public final class DisniReceiveQueue {

  /** Largest number of posted receives. */
  public static final int DEPTH = 256;

  private static final int MASK = DEPTH - 1;

  private final MessageSlots slots;

  private final long[] ids = new long[DEPTH];
  private final RegisteredMemory[] memories = new RegisteredMemory[DEPTH];
  private final int[] offsets = new int[DEPTH];
  private final int[] lengths = new int[DEPTH];
  private long posted;
  private long completed;

  // Received messages, at most one per slot.
  private final int[] slot = new int[DEPTH];
  private final int[] bytes = new int[DEPTH];
  private final int[] immediate = new int[DEPTH];
  private final boolean[] withImmediate = new boolean[DEPTH];
  private long arrived;
  private long taken;

  public DisniReceiveQueue(MessageSlots slots) {
    this.slots = slots;
  }

  public boolean post(long id, LocalMemory memory, int offset, int lengthBytes) {
    if (posted - completed == DEPTH) {
      return false;
    }
    int index = (int) posted & MASK;
    ids[index] = id;
    memories[index] = memory instanceof RegisteredMemory registered ? registered : null;
    offsets[index] = offset;
    lengths[index] = lengthBytes;
    posted++;
    return true;
  }

  public void arrive(int inSlot, int lengthBytes, boolean announced, int immediateData) {
    int index = (int) arrived & MASK;
    slot[index] = inSlot;
    bytes[index] = lengthBytes;
    immediate[index] = immediateData;
    withImmediate[index] = announced;
    arrived++;
  }

  /** Whether a message and a receive exist. */
  public boolean hasMatch() {
    return taken < arrived && completed < posted;
  }

  /** Returns the number of messages that found their receive. */
  public long taken() {
    return taken;
  }

  /**
   * Copies the next message into its receive and fills the completion.
   *
   * @return the slot, which may be posted again
   */
  public int take(Completion completion) {
    int message = (int) taken & MASK;
    int receive = (int) completed & MASK;
    boolean announced = withImmediate[message];
    int length = bytes[message];
    CompletionStatus status = status(receive, announced ? 0 : length);
    boolean succeeded = status == CompletionStatus.SUCCESS;
    if (succeeded && !announced) {
      memories[receive]
          .memory()
          .put(offsets[receive], slots.memory(), MessageSlots.offset(slot[message]), length);
    }
    completion.set(
        ids[receive],
        announced ? Opcode.RECEIVE_IMMEDIATE : Opcode.RECEIVE,
        status,
        succeeded ? length : 0,
        announced ? immediate[message] : 0);
    memories[receive] = null;
    taken++;
    completed++;
    return slot[message];
  }

  private CompletionStatus status(int receive, int needed) {
    RegisteredMemory memory = memories[receive];
    if (memory == null || !memory.covers(offsets[receive], lengths[receive])) {
      return CompletionStatus.LOCAL_PROTECTION;
    }
    return needed <= lengths[receive] ? CompletionStatus.SUCCESS : CompletionStatus.LENGTH;
  }

  /** Fills the completion of the next receive without a message; false without any. */
  public boolean flush(Completion completion) {
    if (completed == posted) {
      return false;
    }
    int receive = (int) completed & MASK;
    memories[receive] = null;
    completed++;
    completion.set(ids[receive], Opcode.RECEIVE, CompletionStatus.FLUSHED, 0, 0);
    return true;
  }
}
