package io.railflux.fabric.sim;

import io.railflux.fabric.CompletionStatus;
import io.railflux.fabric.Opcode;
import io.railflux.fabric.WorkRequest;
import io.railflux.fabric.sim.events.SimRandom;
import io.railflux.fabric.sim.memory.SimBuffer;
import io.railflux.fabric.sim.memory.SimRemoteRegion;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** A work request in transit. */
final class Request {

  /** {@code null} for a notification, which travels in order like requests. */
  final Opcode opcode;

  final PairEnd origin;
  final long sequence;
  final long id;
  final boolean signaled;
  final boolean fenced;
  final int lengthBytes;
  final int remoteOffset;
  final int immediate;
  final long operand;
  final long compare;

  private final SimBuffer local;
  private final int localOffset;
  private final SimRemoteRegion remote;

  private final boolean wellFormed;

  /** Local or injected failure; reported when all earlier requests have completed. */
  CompletionStatus refusal;

  /** Takes effect, but is reported as failed. */
  boolean injectedError;

  boolean executed;

  /** The bytes of this write with immediate data are becoming visible. */
  boolean placed;

  boolean everSent;
  long firstDepartedAt;
  long departedAt;
  private byte[] payload;
  private byte[] result;

  Request(PairEnd origin, long sequence, WorkRequest posted) {
    this.origin = origin;
    this.sequence = sequence;
    opcode = posted.opcode;
    id = posted.id;
    signaled = posted.signaled;
    fenced = posted.fenced;
    lengthBytes = isAtomic() ? Long.BYTES : posted.lengthBytes;
    remoteOffset = posted.remoteOffset;
    immediate = posted.immediate;
    operand = posted.operand;
    compare = posted.compare;
    localOffset = posted.localOffset;
    local = posted.local instanceof SimBuffer buffer ? buffer : null;
    remote = posted.remote instanceof SimRemoteRegion region ? region : null;
    refusal = isNotification() ? null : check();
    wellFormed = refusal == null;
  }

  private CompletionStatus check() {
    if (lengthBytes < 0 || (lengthBytes > 0 && !localCovers())) {
      return CompletionStatus.LOCAL_PROTECTION;
    }
    if (opcode == Opcode.SEND) {
      int longest = origin.fabric().capabilities().maxSendBytes();
      return lengthBytes > longest ? CompletionStatus.LENGTH : null;
    }
    boolean reachable = remote != null
        && remote.endpoint() == origin
        && remote.covers(remoteOffset, lengthBytes)
        && (!isAtomic() || remoteOffset % Long.BYTES == 0);
    return reachable ? null : CompletionStatus.REMOTE_ACCESS;
  }

  private boolean localCovers() {
    return local != null
        && local.belongsTo(origin.fabric())
        && local.covers(localOffset, lengthBytes);
  }

  boolean isNotification() {
    return opcode == null;
  }

  boolean isAtomic() {
    return opcode == Opcode.FETCH_ADD || opcode == Opcode.COMPARE_SWAP;
  }

  boolean carriesPayload() {
    return opcode == Opcode.SEND || opcode == Opcode.WRITE || opcode == Opcode.WRITE_WITH_IMMEDIATE;
  }

  boolean bringsResult() {
    return opcode == Opcode.READ || isAtomic();
  }

  boolean consumesReceive() {
    return opcode == Opcode.SEND || opcode == Opcode.WRITE_WITH_IMMEDIATE;
  }

  long remoteKey() {
    return remote.key();
  }

  /**
   * Copies the payload from local memory unless already done.
   *
   * @return false if the memory was deregistered before the completion
   */
  boolean capture() {
    if (payload != null || !carriesPayload() || !wellFormed) {
      return true;
    }
    if (lengthBytes == 0) {
      payload = new byte[0];
      return true;
    }
    payload = local.read(localOffset, lengthBytes);
    return local.isOpen();
  }

  byte[] payload() {
    return payload;
  }

  /** Hashes the content without the identity, which differs between runs. */
  long contentHash() {
    long result = isNotification() ? -1 : opcode.name().hashCode();
    result = SimRandom.mix(result * 31 + lengthBytes);
    return payload == null ? result : result ^ hashOf(payload);
  }

  private static long hashOf(byte[] bytes) {
    ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    long result = bytes.length;
    while (buffer.remaining() >= Long.BYTES) {
      result = SimRandom.mix(result * 31 + buffer.getLong());
    }
    while (buffer.hasRemaining()) {
      result = result * 31 + buffer.get();
    }
    return SimRandom.mix(result);
  }

  /** Flips one bit of the payload. */
  void flip(int bit) {
    payload[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
  }

  void result(byte[] bytes) {
    result = bytes;
  }

  /** Stores the result of a read or atomic in local memory; false if that is gone. */
  boolean store() {
    if (!bringsResult() || lengthBytes == 0) {
      return true;
    }
    boolean usable = localCovers();
    if (usable) {
      local.write(localOffset, result, 0, lengthBytes);
    }
    return usable;
  }
}
