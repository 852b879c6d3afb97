package io.railflux.fabric.shm;

/** Posted receives in order. The accessors speak of the oldest. */
final class ReceiveRing {

  private final int mask;
  private final long[] ids;
  private final ShmLocalMemory[] memories;
  private final int[] offsets;
  private final int[] lengths;
  private int head;
  private int tail;

  /**
   * @param capacity a power of two
   */
  ReceiveRing(int capacity) {
    mask = capacity - 1;
    ids = new long[capacity];
    memories = new ShmLocalMemory[capacity];
    offsets = new int[capacity];
    lengths = new int[capacity];
  }

  boolean isEmpty() {
    return head == tail;
  }

  boolean isFull() {
    return tail - head > mask;
  }

  void add(long id, ShmLocalMemory memory, int offset, int lengthBytes) {
    int index = tail++ & mask;
    ids[index] = id;
    memories[index] = memory;
    offsets[index] = offset;
    lengths[index] = lengthBytes;
  }

  long id() {
    return ids[head & mask];
  }

  ShmLocalMemory memory() {
    return memories[head & mask];
  }

  int offset() {
    return offsets[head & mask];
  }

  int lengthBytes() {
    return lengths[head & mask];
  }

  void remove() {
    memories[head & mask] = null;
    head++;
  }
}
