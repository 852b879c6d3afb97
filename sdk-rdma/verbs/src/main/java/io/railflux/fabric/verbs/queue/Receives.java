package io.railflux.fabric.verbs.queue;

import io.railflux.fabric.CompletionStatus;
import io.railflux.fabric.verbs.memory.VerbsBuffer;
import java.nio.ByteBuffer;

/** Posted receives of the engine, oldest first. */
final class Receives {

  private final long[] ids;
  private final VerbsBuffer[] buffers;
  private final int[] offsets;
  private final int[] lengths;
  private int first;
  private int count;

  Receives(int capacity) {
    ids = new long[capacity];
    buffers = new VerbsBuffer[capacity];
    offsets = new int[capacity];
    lengths = new int[capacity];
  }

  /** Returns false if full. */
  boolean add(long id, VerbsBuffer buffer, int offset, int length) {
    if (count == ids.length) {
      return false;
    }
    int at = (first + count++) % ids.length;
    ids[at] = id;
    buffers[at] = buffer;
    offsets[at] = offset;
    lengths[at] = length;
    return true;
  }

  boolean isEmpty() {
    return count == 0;
  }

  long id() {
    return ids[first];
  }

  /**
   * Copies a piece of a message into the oldest receive.
   *
   * @param behind earlier bytes of the message
   */
  CompletionStatus store(int behind, ByteBuffer arrived, int place, int length) {
    if (length > lengths[first] - behind) {
      return CompletionStatus.LENGTH;
    }
    VerbsBuffer buffer = buffers[first];
    int offset = offsets[first] + behind;
    if (!buffer.covers(offset, length)) {
      return CompletionStatus.LOCAL_PROTECTION;
    }
    buffer.whole().put(offset, arrived, place * ReceiveQueue.FRAGMENT_BYTES, length);
    return CompletionStatus.SUCCESS;
  }

  void remove() {
    buffers[first] = null;
    first = (first + 1) % ids.length;
    count--;
  }
}
