package io.railflux.fabric.shm.memory;

import io.railflux.fabric.Completion;
import io.railflux.fabric.CompletionStatus;
import io.railflux.fabric.Opcode;

/** Completions of requests that took effect when posted, until a poll delivers them. */
public final class CompletionRing {

  private final int mask;
  private final long[] ids;
  private final Opcode[] opcodes;
  private final CompletionStatus[] statuses;
  private int head;
  private int tail;

  /**
   * @param capacity a power of two
   */
  public CompletionRing(int capacity) {
    mask = capacity - 1;
    ids = new long[capacity];
    opcodes = new Opcode[capacity];
    statuses = new CompletionStatus[capacity];
  }

  public boolean isEmpty() {
    return head == tail;
  }

  public boolean isFull() {
    return tail - head > mask;
  }

  public void add(long id, Opcode opcode, CompletionStatus status) {
    int index = tail++ & mask;
    ids[index] = id;
    opcodes[index] = opcode;
    statuses[index] = status;
  }

  public Completion remove(Completion into) {
    int index = head++ & mask;
    return into.set(ids[index], opcodes[index], statuses[index], 0, 0);
  }
}
