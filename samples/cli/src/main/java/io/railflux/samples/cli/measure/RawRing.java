package io.railflux.samples.cli.measure;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The minimum that carries messages of one size between processes: slots of 64 bytes, a length word that is published
 * last, and a reader position that is written once per batch. It has no types, streams, demand or recovery.
 */
public final class RawRing {

  public static final int RING_BYTES = 2 << 20;
  public static final int HEADER_BYTES = 4096;
  public static final int MAX_SIZE_BYTES = 16 << 20;

  private static final VarHandle WORDS =
      MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final int SLOT_BYTES = 64;
  private static final int MIN_ENTRIES = 4;
  private static final long END = -1;

  private final ByteBuffer memory;
  private final int sizeBytes;
  private final int entryBytes;
  private final int endOffset;
  private final long entries;
  private final ByteBuffer fill;
  private final Reading reading;

  private int offset = HEADER_BYTES;
  private long position;
  private long readerPosition;
  private boolean ended;
  private long last;

  public RawRing(ByteBuffer memory, int sizeBytes, Work work) {
    this.memory = memory.order(ByteOrder.LITTLE_ENDIAN);
    this.sizeBytes = sizeBytes;
    this.entryBytes = entryBytes(sizeBytes);
    this.entries = entries(sizeBytes);
    this.endOffset = HEADER_BYTES + (int) entries * entryBytes;
    this.fill = Payload.fill(sizeBytes);
    this.reading = new Reading(work, sizeBytes);
  }

  private static int entryBytes(int sizeBytes) {
    return (Long.BYTES + sizeBytes + SLOT_BYTES - 1) & -SLOT_BYTES;
  }

  private static long entries(int sizeBytes) {
    return Math.max(MIN_ENTRIES, RING_BYTES / entryBytes(sizeBytes));
  }

  public static long bytes(int sizeBytes) {
    return HEADER_BYTES + entries(sizeBytes) * entryBytes(sizeBytes);
  }

  /** Returns false if the ring is full. */
  public boolean offer(long number) {
    if (!hasRoom()) {
      return false;
    }
    int body = offset + Long.BYTES;
    Payload.put(fill, memory, body, sizeBytes);
    memory.putLong(body, number);
    publish(sizeBytes);
    return true;
  }

  /** Marks the end of the messages. Returns false if the ring is full. */
  public boolean offerEnd() {
    if (!hasRoom()) {
      return false;
    }
    publish(END);
    return true;
  }

  private boolean hasRoom() {
    if (position - readerPosition < entries) {
      return true;
    }
    readerPosition = (long) WORDS.getAcquire(memory, 0);
    return position - readerPosition < entries;
  }

  private void publish(long word) {
    WORDS.setRelease(memory, offset, word);
    advance();
  }

  private void advance() {
    position++;
    offset += entryBytes;
    if (offset == endOffset) {
      offset = HEADER_BYTES;
    }
  }

  /** Reads available messages, up to a batch. Returns their count. */
  public int poll(int limit) {
    int count = 0;
    while (count < limit && !ended) {
      long word = (long) WORDS.getAcquire(memory, offset);
      if (word == 0) {
        break;
      }
      if (word == END) {
        ended = true;
      } else {
        last = memory.getLong(offset + Long.BYTES);
        reading.read(memory, offset + Long.BYTES);
        count++;
      }
      memory.putLong(offset, 0);
      advance();
    }
    if (count > 0 || ended) {
      WORDS.setRelease(memory, 0, position);
    }
    return count;
  }

  public boolean ended() {
    return ended;
  }

  /** Restores the initial state. Each side calls it while no side is active. */
  public void clear() {
    for (int i = 0; i < memory.capacity(); i += Long.BYTES) {
      memory.putLong(i, 0);
    }
    offset = HEADER_BYTES;
    position = 0;
    readerPosition = 0;
    ended = false;
  }

  /** Returns whether the reader consumed everything. Writer's side. */
  public boolean drained() {
    return (long) WORDS.getAcquire(memory, 0) == position;
  }

  public long last() {
    return last;
  }

  public long sum() {
    return reading.sum();
  }
}
