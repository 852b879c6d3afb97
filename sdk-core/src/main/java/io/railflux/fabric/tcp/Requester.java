package io.railflux.fabric.tcp;

import io.railflux.fabric.CompletionStatus;
import io.railflux.fabric.Opcode;
import io.railflux.fabric.WorkRequest;
import io.railflux.fabric.tcp.frames.FrameWriter;
import io.railflux.fabric.tcp.frames.TcpFrame;
import io.railflux.fabric.tcp.frames.TcpLocalMemory;

/** Sending half of an endpoint: posted, sent and acknowledged requests. */
final class Requester {

  /** Requests after which an acknowledgement is requested even without a signaled one. */
  private static final int UNSIGNALED = 32;

  private final TcpEndpoint endpoint;
  private final TcpSendQueue queue;
  private final FrameWriter writer;
  private int openReads;

  Requester(TcpEndpoint endpoint, FrameWriter writer, int depth) {
    this.endpoint = endpoint;
    this.writer = writer;
    this.queue = new TcpSendQueue(depth);
  }

  TcpSendQueue queue() {
    return queue;
  }

  static boolean supports(Opcode opcode) {
    return opcode != Opcode.RECEIVE && opcode != Opcode.RECEIVE_IMMEDIATE;
  }

  void post(WorkRequest request) {
    queue.post(request, objection(request));
  }

  private CompletionStatus objection(WorkRequest request) {
    boolean atomic = request.opcode == Opcode.FETCH_ADD || request.opcode == Opcode.COMPARE_SWAP;
    int length = atomic ? Long.BYTES : request.lengthBytes;
    if (!(request.local instanceof TcpLocalMemory local)
        || !local.covers(request.localOffset, length)) {
      return CompletionStatus.LOCAL_PROTECTION;
    }
    if (request.opcode == Opcode.SEND) {
      return length > TcpFabric.MAX_SEND_BYTES ? CompletionStatus.LENGTH : null;
    }
    boolean reachable = request.remote instanceof TcpRemoteRegion remote
        && remote.owner() == endpoint
        && remote.covers(request.remoteOffset, length)
        && !(atomic && request.remoteOffset % Long.BYTES != 0);
    return reachable ? null : CompletionStatus.REMOTE_ACCESS;
  }

  boolean canSend() {
    TcpSendQueue.Entry next = queue.nextUnsent();
    return next != null && next.failure == null && !(next.request.fenced && openReads > 0);
  }

  /** @param taken requests of the peer that took effect here */
  void sendNext(long taken) {
    TcpSendQueue.Entry entry = queue.nextUnsent();
    WorkRequest request = entry.request;
    int type = type(request.opcode);
    int length = length(request);
    long key = request.remote == null ? 0 : request.remote.key();
    boolean wanted = request.signaled || queue.sentCount() % UNSIGNALED == 0;
    int flags = wanted ? TcpFrame.SIGNALED : 0;
    writer.header(type, flags, length, taken, key, request.remoteOffset, request.immediate);
    if (type == TcpFrame.FETCH_ADD || type == TcpFrame.COMPARE_SWAP) {
      writer.operands(request.operand, request.compare);
    } else if (type != TcpFrame.READ) {
      writer.payload((TcpLocalMemory) request.local, request.localOffset, length);
    }
    entry.position = borrows(request) ? writer.position() : 0;
    openReads += entry.isAnswered() ? 1 : 0;
    queue.sent();
  }

  private static int length(WorkRequest request) {
    return switch (request.opcode) {
      case FETCH_ADD, COMPARE_SWAP -> TcpFrame.ATOMIC_BYTES;
      default -> request.lengthBytes;
    };
  }

  private static int type(Opcode opcode) {
    return switch (opcode) {
      case SEND -> TcpFrame.SEND;
      case WRITE -> TcpFrame.WRITE;
      case WRITE_WITH_IMMEDIATE -> TcpFrame.WRITE_IMMEDIATE;
      case READ -> TcpFrame.READ;
      case FETCH_ADD -> TcpFrame.FETCH_ADD;
      case COMPARE_SWAP -> TcpFrame.COMPARE_SWAP;
      default -> throw new IllegalArgumentException(opcode + " is never posted");
    };
  }

  /** Whether a sent and unacknowledged request borrows memory. */
  boolean borrows() {
    for (long index = queue.takenCount(); index != queue.sentCount(); index++) {
      if (borrows(queue.at(index).request)) {
        return true;
      }
    }
    return false;
  }

  private static boolean borrows(WorkRequest request) {
    return request.opcode != Opcode.READ && request.lengthBytes > FrameWriter.COPIED_BYTES;
  }

  /** Processes an acknowledgement of the peer. Returns a violation, or null. */
  String acknowledged(long count) {
    if (count - queue.sentCount() > 0) {
      return "it acknowledges request " + count + " of " + queue.sentCount();
    }
    while (queue.takenCount() - count < 0) {
      if (queue.oldestOpen().isAnswered()) {
        return "it acknowledges request " + count + " without a reply";
      }
      // The owner would overwrite the memory before it is sent.
      long position = queue.oldestOpen().position;
      if (position != 0 && !writer.hasLeft(position)) {
        return "it acknowledges request " + count + " before all of it was sent";
      }
      queue.taken();
    }
    return null;
  }

  /**
   * Begins a reply.
   *
   * @return the request, whose memory receives the payload; null if no request is open
   */
  WorkRequest replyTo(long index, int length) {
    TcpSendQueue.Entry entry = queue.takenCount() == queue.sentCount() ? null : queue.oldestOpen();
    boolean right = entry != null
        && entry.isAnswered()
        && queue.takenCount() + 1 == index
        && expectedBytes(entry.request) == length
        && !((TcpLocalMemory) entry.request.local).isClosed();
    return right ? entry.request : null;
  }

  private static int expectedBytes(WorkRequest request) {
    return request.opcode == Opcode.READ ? request.lengthBytes : Long.BYTES;
  }

  void replied() {
    openReads--;
    queue.taken();
  }

  /** Returns the local failure whose predecessors all took effect; null without any. */
  TcpSendQueue.Entry failedLocally() {
    TcpSendQueue.Entry oldest = queue.oldestOpen();
    return oldest != null && oldest.failure != null ? oldest : null;
  }

  /** The peer refused a request. Returns whether the request is open. */
  boolean refused(long index, CompletionStatus status) {
    if (index - queue.takenCount() <= 0 || index - queue.sentCount() > 0) {
      return false;
    }
    queue.at(index - 1).failure = status;
    return true;
  }

  /** The endpoint is in error: open requests will not take effect unless they already have. */
  void flush() {
    boolean first = true;
    while (queue.oldestOpen() != null) {
      TcpSendQueue.Entry entry = queue.oldestOpen();
      if (entry.failure == null) {
        boolean unknown = first && queue.takenCount() < queue.sentCount();
        entry.failure = unknown ? CompletionStatus.TRANSPORT_RETRY : CompletionStatus.FLUSHED;
      }
      first = false;
      queue.taken();
    }
  }
}
