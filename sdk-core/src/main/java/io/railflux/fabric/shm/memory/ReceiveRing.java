package io.railflux.fabric.shm.memory;

/** Posted receives in order. The accessors refer to the oldest. */
public final class ReceiveRing {

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
  public ReceiveRing(int capacity) {
    mask = capacity - 1;
    ids = new long[capacity];
    memories = new ShmLocalMemory[capacity];
    offsets = new int[capacity];
    lengths = new int[capacity];
  }

  public boolean isEmpty() {
    return head == tail;
  }

  public boolean isFull() {
    return tail - head > mask;
  }

  public void add(long id, ShmLocalMemory memory, int offset, int lengthBytes) {
    int index = tail++ & mask;
    ids[index] = id;
    memories[index] = memory;
    offsets[index] = offset;
    lengths[index] = lengthBytes;
  }

  public long id() {
    return ids[head & mask];
  }

  public ShmLocalMemory memory() {
    return memories[head & mask];
  }

  public int offset() {
    return offsets[head & mask];
  }

  public int lengthBytes() {
    return lengths[head & mask];
  }

  public void remove() {
    memories[head & mask] = null;
    head++;
  }
}
