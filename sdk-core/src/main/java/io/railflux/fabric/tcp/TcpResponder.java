package io.railflux.fabric.tcp;

import io.netty.buffer.ByteBuf;
import io.railflux.fabric.CompletionStatus;
import io.railflux.fabric.Opcode;
import io.railflux.fabric.WorkRequest;
import io.railflux.fabric.tcp.frames.FrameReader;
import io.railflux.fabric.tcp.frames.TcpFrame;
import io.railflux.fabric.tcp.frames.TcpLocalMemory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Receiving half of an endpoint: processes frames of the peer, which are hostile until validated, and stores their
 * payloads directly in the target memory.
 */
final class TcpResponder implements FrameReader.Sink {

  /** Number of owed acknowledgements after which one is sent unasked. */
  private static final int MAX_OWED = 64;

  /** Received bytes that are acknowledged at once, because their sender waits for room. */
  private static final int URGENT_BYTES = 64 * 1024;

  private static final int REFUSED_LENGTH = 1;
  private static final int REFUSED_ACCESS = 2;

  private final TcpEndpoint endpoint;
  private final Requester requester;
  private final TcpRegions regions;
  private final TcpReceiveQueue receives;
  private final Replies replies = new Replies();

  /** Memory for operands of atomics; null before the first one. */
  private TcpLocalMemory operands;

  private long arrived;
  private long reported;
  private boolean asked;
  private long unreportedBytes;

  // Fields of the frame whose payload is being received.
  private int type;
  private int length;
  private int immediate;
  private boolean signaled;
  private TcpExposedRegion region;
  private int offset;

  TcpResponder(
      TcpEndpoint endpoint, Requester requester, TcpRegions regions, TcpReceiveQueue receives) {
    this.endpoint = endpoint;
    this.requester = requester;
    this.regions = regions;
    this.receives = receives;
  }

  Replies replies() {
    return replies;
  }

  /** Returns the requests of the peer that took effect; the caller reports them. */
  long takeUnreported() {
    reported = replies.answered(arrived);
    asked &= reported != arrived;
    unreportedBytes = 0;
    return reported;
  }

  /** Whether owed acknowledgements should not wait for another frame. */
  boolean isUrgent() {
    return unreportedBytes >= URGENT_BYTES;
  }

  /** Whether the peer waits for an acknowledgement, or should get one. */
  boolean owes() {
    long answered = replies.answered(arrived);
    return answered != reported && (asked || answered - reported >= MAX_OWED);
  }

  @Override
  public FrameReader.Next onHeader(ByteBuf header) {
    String wrong = requester.acknowledged(acknowledgedBy(header));
    if (wrong != null) {
      return violated(wrong);
    }
    type = TcpFrame.type(header);
    length = TcpFrame.length(header);
    immediate = TcpFrame.immediate(header);
    offset = TcpFrame.offset(header);
    signaled = (TcpFrame.flags(header) & TcpFrame.SIGNALED) != 0;
    if (length < 0) {
      return violated("a frame of type " + type + " has a length beyond 2 GiB");
    }
    return switch (type) {
      case TcpFrame.SEND -> onSend();
      case TcpFrame.WRITE -> onWrite(header);
      case TcpFrame.WRITE_IMMEDIATE ->
        receives.next() == null ? FrameReader.Next.WAIT : onWrite(header);
      case TcpFrame.READ -> onRead(header);
      case TcpFrame.FETCH_ADD, TcpFrame.COMPARE_SWAP -> onAtomic(header);
      case TcpFrame.REPLY -> onReply(header);
      case TcpFrame.ACK -> FrameReader.Next.HEADER;
      case TcpFrame.REFUSED -> onRefused(header);
      default -> violated("frames of type " + type + " are unknown");
    };
  }

  /** A reply acknowledges its own request only with its complete payload. */
  private static long acknowledgedBy(ByteBuf header) {
    long taken = TcpFrame.taken(header);
    return TcpFrame.type(header) == TcpFrame.REPLY ? taken - 1 : taken;
  }

  private FrameReader.Next onSend() {
    TcpReceiveQueue.Entry receive = receives.next();
    if (receive == null) {
      return FrameReader.Next.WAIT;
    }
    if (length > receive.capacityBytes) {
      receives.fill(Opcode.RECEIVE, CompletionStatus.LENGTH, 0, 0);
      return refuse(
          REFUSED_LENGTH,
          "a message of " + length + " B did not fit its receive of " + receive.capacityBytes
              + " B");
    }
    endpoint.reader().expect(receive.memory, receive.offset, length);
    return FrameReader.Next.PAYLOAD;
  }

  private FrameReader.Next onWrite(ByteBuf header) {
    region = regions.find(TcpFrame.key(header));
    if (region == null || !region.access().allowsWrite() || !region.covers(offset, length)) {
      return refuseAccess("write");
    }
    endpoint.reader().expect(region, offset, length);
    return FrameReader.Next.PAYLOAD;
  }

  private FrameReader.Next onRead(ByteBuf header) {
    region = regions.find(TcpFrame.key(header));
    if (region == null || !region.access().allowsRead() || !region.covers(offset, length)) {
      return refuseAccess("read");
    }
    if (replies.isFull()) {
      return violated("it has more than " + Replies.MAX_OPEN + " reads open");
    }
    replies.addRead(++arrived, region, offset, length);
    region = null;
    return FrameReader.Next.HEADER;
  }

  private FrameReader.Next onAtomic(ByteBuf header) {
    region = regions.find(TcpFrame.key(header));
    boolean allowed = region != null
        && region.access().allowsRead()
        && region.access().allowsWrite()
        && length == TcpFrame.ATOMIC_BYTES
        && offset % Long.BYTES == 0
        && region.covers(offset, Long.BYTES);
    if (!allowed) {
      return refuseAccess("atomic");
    }
    if (replies.isFull()) {
      return violated("it has more than " + Replies.MAX_OPEN + " atomics open");
    }
    if (operands == null) {
      operands = new TcpLocalMemory(
          ByteBuffer.allocateDirect(TcpFrame.ATOMIC_BYTES).order(ByteOrder.LITTLE_ENDIAN));
    }
    endpoint.reader().expect(operands, 0, length);
    return FrameReader.Next.PAYLOAD;
  }

  private FrameReader.Next onReply(ByteBuf header) {
    WorkRequest request = requester.replyTo(TcpFrame.taken(header), length);
    if (request == null) {
      return violated("it replies with " + length + " B without a request");
    }
    TcpLocalMemory into = (TcpLocalMemory) request.local;
    endpoint.reader().expect(into, request.localOffset, length);
    return FrameReader.Next.PAYLOAD;
  }

  private FrameReader.Next onRefused(ByteBuf header) {
    CompletionStatus status =
        immediate == REFUSED_LENGTH ? CompletionStatus.LENGTH : CompletionStatus.REMOTE_ACCESS;
    long index = TcpFrame.key(header);
    if (!requester.refused(index, status)) {
      return violated("it refuses request " + index + ", which is not open");
    }
    endpoint.fail("the peer refused request " + index + ": " + status);
    return FrameReader.Next.STOP;
  }

  @Override
  public void onPayload() {
    switch (type) {
      case TcpFrame.SEND -> receives.fill(Opcode.RECEIVE, CompletionStatus.SUCCESS, length, 0);
      case TcpFrame.WRITE_IMMEDIATE ->
        receives.fill(Opcode.RECEIVE_IMMEDIATE, CompletionStatus.SUCCESS, length, immediate);
      case TcpFrame.FETCH_ADD, TcpFrame.COMPARE_SWAP -> runAtomic();
      default -> {
        // The payload is in place, where pollers find it.
      }
    }
    region = null;
    if (type == TcpFrame.REPLY) {
      requester.replied();
    } else {
      arrived++;
      unreportedBytes += length;
      asked |= signaled;
    }
  }

  @Override
  public void onTargetClosed() {
    endpoint.fail("memory was closed while the peer wrote into it");
  }

  @Override
  public void onCorrupted(String what) {
    endpoint.corrupted(what);
  }

  private void runAtomic() {
    if (region.isClosed()) {
      // The owner may have closed and reused the memory while the operands arrived.
      onTargetClosed();
      return;
    }
    ByteBuffer memory = region.memory();
    long former = memory.getLong(offset);
    long operand = operands.memory().getLong(0);
    if (type == TcpFrame.FETCH_ADD) {
      memory.putLong(offset, former + operand);
    } else if (former == operands.memory().getLong(Long.BYTES)) {
      memory.putLong(offset, operand);
    }
    replies.addAtomic(arrived + 1, former);
  }

  private FrameReader.Next refuseAccess(String what) {
    return refuse(
        REFUSED_ACCESS,
        "a " + what + " of " + length + " B at " + offset + " is outside of the exposed region");
  }

  /** Reports the invalid request to the peer, then ends the connection. */
  private FrameReader.Next refuse(int code, String what) {
    endpoint.refuse(arrived + 1, code, "the peer violated the protocol: " + what);
    return FrameReader.Next.STOP;
  }

  private FrameReader.Next violated(String what) {
    endpoint.fail("the peer violated the protocol: " + what);
    return FrameReader.Next.STOP;
  }
}
