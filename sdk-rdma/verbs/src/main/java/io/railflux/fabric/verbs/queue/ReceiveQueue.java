package io.railflux.fabric.verbs.queue;

import io.railflux.fabric.CompletionStatus;
import io.railflux.fabric.LocalMemory;
import io.railflux.fabric.Opcode;
import io.railflux.fabric.PostResult;
import io.railflux.fabric.verbs.device.QueuePair;
import io.railflux.fabric.verbs.internal.IbvMr;
import io.railflux.fabric.verbs.internal.IbvWc;
import io.railflux.fabric.verbs.internal.NativeFailure;
import io.railflux.fabric.verbs.internal.NativeScope;
import io.railflux.fabric.verbs.memory.ProtectionDomain;
import io.railflux.fabric.verbs.memory.VerbsBuffer;
import java.nio.ByteBuffer;

/**
 * Receiving half of an endpoint. The fabric owns the receives in hardware: it posts them before the connection
 * exists, and again when they are free. Arrived messages wait for a receive of the engine and are copied into it. A
 * notification therefore never consumes a receive of the engine, an early send of the peer finds room, and a send
 * without a receive does not delay later writes.
 */
public final class ReceiveQueue {

  /** Size of each receive; longer sends travel in pieces. */
  public static final int FRAGMENT_BYTES = 1024;

  private final QueueOwner endpoint;
  private final QueuePair pair;
  private final int depth;
  private final ByteBuffer memory;
  private final long address;
  private final int lkey;
  private final Arrivals arrivals;
  private final Receives receives;
  private int posted;
  private int assembledBytes;

  public ReceiveQueue(
      QueueOwner endpoint, QueuePair pair, ProtectionDomain domain, NativeScope scope, int depth)
      throws NativeFailure {
    this.endpoint = endpoint;
    this.pair = pair;
    this.depth = depth;
    var segment = scope.allocate((long) depth * FRAGMENT_BYTES, FRAGMENT_BYTES);
    this.memory = segment.asByteBuffer();
    this.address = segment.address();
    this.arrivals = new Arrivals(depth);
    this.receives = new Receives(depth);
    this.lkey =
        domain.register(address, segment.byteSize(), address, IbvMr.LOCAL_WRITE).lkey();
  }

  /** Called before RTR, because the peer may send at once. */
  public void postAll() throws NativeFailure {
    for (int place = 0; place < depth; place++) {
      post(place);
    }
  }

  private void post(int place) throws NativeFailure {
    long at = address + (long) place * FRAGMENT_BYTES;
    long id = WorkIds.receive(endpoint.number(), place);
    int error = pair.postReceive(id, at, FRAGMENT_BYTES, lkey);
    if (error != 0) {
      throw new NativeFailure("ibv_post_recv", error);
    }
    posted++;
  }

  /** Posts a receive of the engine. */
  public PostResult post(long id, LocalMemory into, int offset, int lengthBytes) {
    return receives.add(id, (VerbsBuffer) into, offset, lengthBytes)
        ? PostResult.POSTED
        : PostResult.QUEUE_FULL;
  }

  /** Processes a work completion. Returns 1 after a callback. */
  public int completed(int place, int status, IbvWc batch, int index) throws NativeFailure {
    posted--;
    if (status != IbvWc.SUCCESS) {
      return 0;
    }
    boolean immediate = batch.hasImmediate(index);
    int value = immediate ? batch.immediate(index) : 0;
    if (batch.opcode(index) == IbvWc.RECV_RDMA_WITH_IMM) {
      arrivals.addImmediate(place, batch.lengthBytes(index), value);
    } else if (immediate && value == RequestEncoder.NOTIFICATION) {
      repost(place);
      return 0;
    } else if (immediate && value != RequestEncoder.PIECE) {
      endpoint.fail("the peer sent a message of unknown kind " + value);
      return 0;
    } else {
      arrivals.addBytes(place, batch.lengthBytes(index), !immediate);
    }
    return deliver();
  }

  /** Copies the oldest arrival into the oldest receive, if both exist. Returns 1 after a callback. */
  public int deliver() throws NativeFailure {
    while (hasMatch()) {
      if (arrivals.isImmediate()) {
        return deliverImmediate();
      }
      int delivered = deliverBytes();
      if (delivered > 0) {
        return delivered;
      }
    }
    return 0;
  }

  public boolean hasMatch() {
    return !arrivals.isEmpty() && !receives.isEmpty();
  }

  private int deliverImmediate() throws NativeFailure {
    int length = arrivals.length();
    int value = arrivals.immediate();
    long id = receives.id();
    receives.remove();
    repost(arrivals.remove());
    return endpoint.report(id, Opcode.RECEIVE_IMMEDIATE, CompletionStatus.SUCCESS, length, value);
  }

  private int deliverBytes() throws NativeFailure {
    int length = arrivals.length();
    boolean last = arrivals.isLast();
    CompletionStatus status = receives.store(assembledBytes, memory, arrivals.place(), length);
    assembledBytes += length;
    repost(arrivals.remove());
    if (status == CompletionStatus.SUCCESS && !last) {
      return 0;
    }
    int total = status == CompletionStatus.SUCCESS ? assembledBytes : 0;
    assembledBytes = 0;
    long id = receives.id();
    receives.remove();
    int delivered = endpoint.report(id, Opcode.RECEIVE, status, total, 0);
    if (status != CompletionStatus.SUCCESS) {
      endpoint.fail("a message did not fit the posted receive: " + status);
    }
    return delivered;
  }

  private void repost(int place) throws NativeFailure {
    if (endpoint.isReady()) {
      post(place);
    }
  }

  /** Returns a key of this endpoint that is invalid for address 0. */
  public int lkey() {
    return lkey;
  }

  /** Whether no receive in hardware is outstanding. */
  public boolean isDrained() {
    return posted == 0;
  }

  /** Reports the oldest receive without a message; 0 without any. */
  public int flushOldest() {
    if (receives.isEmpty()) {
      return 0;
    }
    long id = receives.id();
    receives.remove();
    return endpoint.report(id, Opcode.RECEIVE, CompletionStatus.FLUSHED, 0, 0);
  }
}
