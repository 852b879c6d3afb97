package io.railflux.fabric.verbs;

import io.railflux.fabric.CompletionStatus;
import io.railflux.fabric.LocalMemory;
import io.railflux.fabric.Opcode;
import io.railflux.fabric.PostResult;
import io.railflux.fabric.verbs.internal.IbvMr;
import io.railflux.fabric.verbs.internal.IbvWc;
import io.railflux.fabric.verbs.internal.NativeFailure;
import io.railflux.fabric.verbs.internal.NativeScope;
import java.nio.ByteBuffer;

/**
 * The receiving half of an endpoint. The receives in hardware are the fabric's own, posted before the
 * connection is there and again as soon as they are free; what arrives waits for a receive of the engine
 * and is copied into it. Thus a notification never takes a receive of the engine's, a peer that sends
 * early finds room, and a send that nobody receives yet does not hold up the writes behind it.
 */
final class ReceiveQueue {

  /** Room in each receive; longer sends come in pieces. */
  static final int FRAGMENT_BYTES = 1024;

  private final VerbsEndpoint endpoint;
  private final QueuePair pair;
  private final int depth;
  private final ByteBuffer memory;
  private final long address;
  private final int lkey;
  private final Arrivals arrivals;
  private final Receives receives;
  private int posted;
  private int assembledBytes;

  ReceiveQueue(
      VerbsEndpoint endpoint, QueuePair pair, ProtectionDomain domain, NativeScope scope, int depth)
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

  /** Before RTR: the peer may send the moment it is told that it may. */
  void postAll() throws NativeFailure {
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

  /** A receive of the engine. */
  PostResult post(long id, LocalMemory into, int offset, int lengthBytes) {
    return receives.add(id, (VerbsBuffer) into, offset, lengthBytes)
        ? PostResult.POSTED
        : PostResult.QUEUE_FULL;
  }

  /** A work completion. Returns 1 when something was told. */
  int completed(int place, int status, IbvWc batch, int index) throws NativeFailure {
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

  /** Hands the oldest arrival to the oldest receive, if there are both. Returns 1 when it was told. */
  int deliver() throws NativeFailure {
    while (hasMatch()) {
      if (arrivals.isImmediate()) {
        return deliverImmediate();
      }
      int told = deliverBytes();
      if (told > 0) {
        return told;
      }
    }
    return 0;
  }

  boolean hasMatch() {
    return !arrivals.isEmpty() && !receives.isEmpty();
  }

  private int deliverImmediate() throws NativeFailure {
    int length = arrivals.length();
    int value = arrivals.immediate();
    long id = receives.id();
    receives.remove();
    repost(arrivals.remove());
    return endpoint.tell(id, Opcode.RECEIVE_IMMEDIATE, CompletionStatus.SUCCESS, length, value);
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
    int told = endpoint.tell(id, Opcode.RECEIVE, status, total, 0);
    if (status != CompletionStatus.SUCCESS) {
      endpoint.fail("the peer sent what the posted receive cannot hold: " + status);
    }
    return told;
  }

  private void repost(int place) throws NativeFailure {
    if (endpoint.isReady()) {
      post(place);
    }
  }

  /** A key of this endpoint's that covers nothing at address 0. */
  int lkey() {
    return lkey;
  }

  /** Nothing of the hardware's is outstanding. */
  boolean isDrained() {
    return posted == 0;
  }

  /** Tells the end of the oldest receive that nothing arrived for; 0 when none is left. */
  int flushOldest() {
    if (receives.isEmpty()) {
      return 0;
    }
    long id = receives.id();
    receives.remove();
    return endpoint.tell(id, Opcode.RECEIVE, CompletionStatus.FLUSHED, 0, 0);
  }
}
