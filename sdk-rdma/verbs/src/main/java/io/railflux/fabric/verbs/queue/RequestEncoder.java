package io.railflux.fabric.verbs.queue;

import io.railflux.fabric.WorkRequest;
import io.railflux.fabric.verbs.internal.IbvSendWr;
import io.railflux.fabric.verbs.internal.NativeFailure;
import io.railflux.fabric.verbs.memory.ProtectionDomain;
import io.railflux.fabric.verbs.memory.VerbsBuffer;
import io.railflux.fabric.verbs.memory.VerbsRemoteRegion;

/**
 * Encodes work requests of the SPI as work requests of verbs.
 *
 * <p>Opcode and immediate data identify the kind of each message that consumes a receive of the peer:
 *
 * <pre>
 *   SEND                    a complete send, or its last piece
 *   SEND with immediate 1   a piece of a send, followed by further pieces
 *   SEND with immediate 2   a notification, empty
 *   WRITE with immediate    a write of the engine, with its immediate data
 * </pre>
 */
public final class RequestEncoder {

  static final int PIECE = 1;
  static final int NOTIFICATION = 2;

  /** For requests that need no key. */
  private static final int NO_KEY = 0;

  private final ProtectionDomain domain;
  private final IbvSendWr wr;
  private final int maxInlineBytes;
  private final int wrongKey;
  private int fragmentBytes;
  private boolean doubtful;

  /**
   * @param wr filled by each call
   * @param wrongKey key that is invalid for address 0; requests with it fail in their turn
   */
  public RequestEncoder(ProtectionDomain domain, IbvSendWr wr, int maxInlineBytes, int wrongKey) {
    this.domain = domain;
    this.wr = wr;
    this.maxInlineBytes = maxInlineBytes;
    this.wrongKey = wrongKey;
  }

  /**
   * Sets the size of the pieces of long sends.
   *
   * @param bytes size of each posted receive of the peer
   */
  public void peerTakes(int bytes) {
    fragmentBytes = bytes;
  }

  /** Returns the number of work requests for a request. */
  int pieces(WorkRequest request) {
    return switch (request.opcode) {
      case SEND -> Math.max(1, Math.ceilDiv(request.lengthBytes, fragmentBytes));
      default -> 1;
    };
  }

  void encodePiece(WorkRequest request, int index, long id, int flags) throws NativeFailure {
    wr.immediate(PIECE);
    send(request, index, fragmentBytes, id, IbvSendWr.SEND_WITH_IMM, flags);
  }

  /** @param index index of the last piece, 0 for a single one */
  void encodeLast(WorkRequest request, int index, long id, int flags) throws NativeFailure {
    switch (request.opcode) {
      case SEND -> {
        int rest = request.lengthBytes - index * fragmentBytes;
        send(request, index, rest, id, IbvSendWr.SEND, flags);
      }
      case WRITE -> oneSided(request, id, IbvSendWr.RDMA_WRITE, flags);
      case WRITE_WITH_IMMEDIATE -> {
        wr.immediate(request.immediate);
        oneSided(request, id, IbvSendWr.RDMA_WRITE_WITH_IMM, flags);
      }
      case READ -> oneSided(request, id, IbvSendWr.RDMA_READ, flags);
      case FETCH_ADD -> atomic(request, id, IbvSendWr.ATOMIC_FETCH_AND_ADD, flags);
      case COMPARE_SWAP -> atomic(request, id, IbvSendWr.ATOMIC_CMP_AND_SWP, flags);
      case RECEIVE, RECEIVE_IMMEDIATE ->
        throw new IllegalArgumentException(request.opcode + " is never posted");
    }
  }

  private void send(WorkRequest request, int index, int length, long id, int opcode, int flags)
      throws NativeFailure {
    wr.request(id, opcode, flags | optional(request));
    local(request, request.localOffset + index * fragmentBytes, length, true);
  }

  private void oneSided(WorkRequest request, long id, int opcode, int flags) throws NativeFailure {
    VerbsRemoteRegion remote = (VerbsRemoteRegion) request.remote;
    wr.request(id, opcode, flags | optional(request));
    wr.remote(remote.address(request.remoteOffset), remote.rkey());
    local(request, request.localOffset, request.lengthBytes, opcode != IbvSendWr.RDMA_READ);
  }

  private void atomic(WorkRequest request, long id, int opcode, int flags) throws NativeFailure {
    VerbsRemoteRegion remote = (VerbsRemoteRegion) request.remote;
    boolean swap = opcode == IbvSendWr.ATOMIC_CMP_AND_SWP;
    wr.request(id, opcode, flags | optional(request));
    wr.atomic(
        remote.address(request.remoteOffset),
        remote.rkey(),
        swap ? request.compare : request.operand,
        swap ? request.operand : 0);
    local(request, request.localOffset, Long.BYTES, false);
  }

  private static int optional(WorkRequest request) {
    return (request.fenced ? IbvSendWr.FENCE : 0) | (request.solicited ? IbvSendWr.SOLICITED : 0);
  }

  /**
   * Small ranges are sent inline, which checks no key, so the range is checked here. An invalid request becomes a
   * request for unregistered memory and fails in its turn. A fenced request reads memory that earlier reads still
   * fill, so it is never inline.
   */
  private void local(WorkRequest request, int offset, int length, boolean outgoing)
      throws NativeFailure {
    VerbsBuffer local = (VerbsBuffer) request.local;
    doubtful = true;
    if (!local.covers(offset, length) || request.lengthBytes < 0) {
      wr.local(0, 1, wrongKey);
      return;
    }
    if (outgoing && length <= maxInlineBytes && !request.fenced) {
      wr.addFlags(IbvSendWr.INLINE);
      wr.local(local.address() + offset, length, NO_KEY);
      return;
    }
    wr.local(local.address() + offset, length, length == 0 ? NO_KEY : local.lkey(domain));
  }

  void encodeTooLong(long id) {
    doubtful = false;
    wr.request(id, IbvSendWr.SEND, 0);
    wr.spoil(wrongKey);
  }

  void encodeNotification(long id, int flags) {
    empty(id, IbvSendWr.SEND_WITH_IMM, flags | IbvSendWr.SOLICITED);
    wr.immediate(NOTIFICATION);
  }

  void encodeMarker(long id, int flags) {
    empty(id, IbvSendWr.SEND, flags);
  }

  private void empty(long id, int opcode, int flags) {
    doubtful = false;
    wr.request(id, opcode, flags);
    wr.local(0, 0, NO_KEY);
  }

  /** Whether the engine may have caused the refusal of a request by the device. */
  boolean isDoubtful() {
    return doubtful;
  }

  /** Replaces the request by a request with the same id that fails in its turn. */
  void spoil() {
    doubtful = false;
    wr.spoil(wrongKey);
  }
}
