package io.railflux.fabric.shm;

import io.railflux.fabric.CompletionStatus;
import io.railflux.fabric.Opcode;
import io.railflux.fabric.WorkRequest;
import io.railflux.fabric.shm.memory.MailboxLayout;
import io.railflux.fabric.shm.memory.MailboxWriter;
import io.railflux.fabric.shm.memory.OrderedCopy;
import io.railflux.fabric.shm.memory.ShmLocalMemory;
import io.railflux.fabric.shm.memory.Words;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;

/**
 * Executes requests immediately, because both memories are mapped here.
 *
 * <p>All checks precede all changes. The origin checks the keys itself; a process that would skip the check has
 * already mapped the memory.
 */
final class Transfers {

  private final ShmRegions regions;
  private final MailboxWriter mailbox;

  Transfers(ShmRegions regions, MailboxWriter mailbox) {
    this.regions = regions;
    this.mailbox = mailbox;
  }

  /** Whether {@code opcode} can be posted. */
  static boolean supports(Opcode opcode) {
    return opcode != null && opcode.compareTo(Opcode.COMPARE_SWAP) <= 0;
  }

  /** Returns how often this side requested to be rung for room in the mailbox. */
  int asked() {
    return mailbox.asked();
  }

  /** Whether the peer must read its mailbox after such a request. */
  static boolean consumesReceive(Opcode opcode) {
    return opcode == Opcode.SEND || opcode == Opcode.WRITE_WITH_IMMEDIATE;
  }

  /**
   * Executes one request, or finds the reason why not.
   *
   * @return result of the request; FLUSHED if the peer has damaged the mailbox; {@code null} without room, and then
   *     without effect
   */
  CompletionStatus run(WorkRequest request) {
    return switch (request.opcode) {
      case SEND -> send(request);
      case WRITE -> write(request);
      case WRITE_WITH_IMMEDIATE -> writeWithImmediate(request);
      case READ -> read(request);
      case FETCH_ADD, COMPARE_SWAP -> atomic(request);
      default -> throw new IllegalArgumentException(request.opcode + " cannot be posted");
    };
  }

  private CompletionStatus send(WorkRequest request) {
    if (request.lengthBytes > MailboxLayout.MAX_PAYLOAD_BYTES) {
      return CompletionStatus.LENGTH;
    }
    if (!sourceUsable(request)) {
      return CompletionStatus.LOCAL_PROTECTION;
    }
    CompletionStatus refusal = refusal(request.lengthBytes);
    if (refusal == CompletionStatus.SUCCESS) {
      ByteBuffer source = request.lengthBytes == 0 ? null : local(request);
      mailbox.put(MailboxLayout.SEND, 0, request.lengthBytes, source, request.localOffset);
    }
    return refusal;
  }

  private CompletionStatus write(WorkRequest request) {
    CompletionStatus check = checkWrite(request);
    if (check == CompletionStatus.SUCCESS) {
      copy(request);
    }
    return check;
  }

  private CompletionStatus writeWithImmediate(WorkRequest request) {
    CompletionStatus check = checkWrite(request);
    if (check != CompletionStatus.SUCCESS) {
      return check;
    }
    // Checks room first: a write that the caller posts again must not take effect twice.
    CompletionStatus refusal = refusal(0);
    if (refusal == CompletionStatus.SUCCESS) {
      copy(request);
      mailbox.put(MailboxLayout.IMMEDIATE, request.immediate, request.lengthBytes, null, 0);
    }
    return refusal;
  }

  private CompletionStatus read(WorkRequest request) {
    int length = request.lengthBytes;
    if (length > 0 && !usable(request, length, true)) {
      return CompletionStatus.LOCAL_PROTECTION;
    }
    ShmRemoteRegion region = region(request, length);
    if (region == null || !region.readable()) {
      return CompletionStatus.REMOTE_ACCESS;
    }
    if (length > 0) {
      // Acquire: this read sees no older state than earlier reads.
      VarHandle.acquireFence();
      local(request).put(request.localOffset, region.view(), request.remoteOffset, length);
    }
    return CompletionStatus.SUCCESS;
  }

  private CompletionStatus atomic(WorkRequest request) {
    if (!usable(request, Long.BYTES, true)) {
      return CompletionStatus.LOCAL_PROTECTION;
    }
    ShmRemoteRegion region = region(request, Long.BYTES);
    int at = request.remoteOffset;
    if (region == null || !region.readable() || !region.writable() || (at & 7) != 0) {
      return CompletionStatus.REMOTE_ACCESS;
    }
    ByteBuffer memory = region.view();
    long former = request.opcode == Opcode.FETCH_ADD
        ? (long) Words.LONGS.getAndAdd(memory, at, request.operand)
        : (long) Words.LONGS.compareAndExchange(memory, at, request.compare, request.operand);
    local(request).putLong(request.localOffset, former);
    return CompletionStatus.SUCCESS;
  }

  private CompletionStatus checkWrite(WorkRequest request) {
    if (!sourceUsable(request)) {
      return CompletionStatus.LOCAL_PROTECTION;
    }
    ShmRemoteRegion region = region(request, request.lengthBytes);
    return region != null && region.writable()
        ? CompletionStatus.SUCCESS
        : CompletionStatus.REMOTE_ACCESS;
  }

  private static void copy(WorkRequest request) {
    if (request.lengthBytes > 0) {
      ByteBuffer to = ((ShmRemoteRegion) request.remote).view();
      // Orders earlier reads and writes before later writes.
      VarHandle.releaseFence();
      OrderedCopy.copy(
          local(request), request.localOffset, to, request.remoteOffset, request.lengthBytes);
    }
  }

  /** Returns SUCCESS if an entry fits, otherwise the result of {@link #run}. */
  private CompletionStatus refusal(int payloadBytes) {
    return switch (mailbox.room(payloadBytes)) {
      case ENOUGH -> CompletionStatus.SUCCESS;
      case FULL -> null;
      case BROKEN -> CompletionStatus.FLUSHED;
    };
  }

  private ShmRemoteRegion region(WorkRequest request, int length) {
    if (!(request.remote instanceof ShmRemoteRegion region) || !region.belongsTo(regions)) {
      return null;
    }
    boolean inside = ShmLocalMemory.inside(request.remoteOffset, length, region.lengthBytes());
    return inside && !region.revoked() ? region : null;
  }

  private static boolean sourceUsable(WorkRequest request) {
    return request.lengthBytes == 0 || usable(request, request.lengthBytes, false);
  }

  private static boolean usable(WorkRequest request, int length, boolean asSink) {
    return ShmLocalMemory.usable(request.local, request.localOffset, length, asSink);
  }

  private static ByteBuffer local(WorkRequest request) {
    return ((ShmLocalMemory) request.local).view();
  }
}
