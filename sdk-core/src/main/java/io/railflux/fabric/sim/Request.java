package io.railflux.fabric.sim;

import io.railflux.fabric.CompletionStatus;
import io.railflux.fabric.Opcode;
import io.railflux.fabric.WorkRequest;

/** A posted work request on its way. */
final class Request {

  /** {@code null}: a notification, which travels in order like everything else. */
  final Opcode opcode;

  final SimEndpoint origin;
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

  /** Wrong or unlucky without having left: fails when everything before it has completed. */
  CompletionStatus refusal;

  /** Takes effect, and is reported as failed all the same. */
  boolean injectedError;

  boolean executed;

  /** The bytes of this write with immediate data have begun to show up. */
  boolean placed;

  boolean everSent;
  long firstDepartedAt;
  long departedAt;
  private byte[] payload;
  private byte[] result;

  Request(SimEndpoint origin, long sequence, WorkRequest posted) {
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
        && local.fabric() == origin.fabric()
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
   * Takes the payload out of local memory unless that was done before.
   *
   * @return false when the memory was deregistered although the request had not completed
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

  /** One bit of the payload arrives as the opposite. */
  void flip(int bit) {
    payload[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
  }

  void result(byte[] bytes) {
    result = bytes;
  }

  /** Brings what a read or atomic fetched into local memory; false when that is gone. */
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
