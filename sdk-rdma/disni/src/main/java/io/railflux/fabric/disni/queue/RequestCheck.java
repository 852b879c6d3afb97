package io.railflux.fabric.disni.queue;

import io.railflux.fabric.CompletionStatus;
import io.railflux.fabric.Endpoint;
import io.railflux.fabric.WorkRequest;
import io.railflux.fabric.disni.memory.DisniRemoteRegion;
import io.railflux.fabric.disni.memory.RegisteredMemory;

/** Validates a request without the card; only the card of the peer knows permissions. */
public final class RequestCheck {

  private RequestCheck() {}

  public static boolean isSupported(WorkRequest request) {
    if (request.addressHandle != null) {
      return false;
    }
    return switch (request.opcode) {
      case SEND, WRITE, WRITE_WITH_IMMEDIATE, READ -> true;
      case FETCH_ADD, COMPARE_SWAP, RECEIVE, RECEIVE_IMMEDIATE -> false;
    };
  }

  /** Returns the status of a request that must not be sent; otherwise null. */
  public static CompletionStatus refusal(WorkRequest request, Endpoint endpoint) {
    int length = request.lengthBytes;
    boolean local = request.local instanceof RegisteredMemory memory
        && memory.covers(request.localOffset, length);
    if (!local) {
      return CompletionStatus.LOCAL_PROTECTION;
    }
    return switch (request.opcode) {
      case SEND -> length <= MessageSlots.BYTES ? null : CompletionStatus.LENGTH;
      default ->
        request.remote instanceof DisniRemoteRegion remote
                && remote.endpoint() == endpoint
                && remote.covers(request.remoteOffset, length)
            ? null
            : CompletionStatus.REMOTE_ACCESS;
    };
  }
}
