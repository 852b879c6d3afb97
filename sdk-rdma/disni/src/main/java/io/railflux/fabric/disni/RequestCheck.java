package io.railflux.fabric.disni;

import io.railflux.fabric.CompletionStatus;
import io.railflux.fabric.WorkRequest;

/** What can be seen of a request without asking the card; rights only the peer's card knows. */
final class RequestCheck {

  private RequestCheck() {}

  static boolean isSupported(WorkRequest request) {
    if (request.addressHandle != null) {
      return false;
    }
    return switch (request.opcode) {
      case SEND, WRITE, WRITE_WITH_IMMEDIATE, READ -> true;
      case FETCH_ADD, COMPARE_SWAP, RECEIVE, RECEIVE_IMMEDIATE -> false;
    };
  }

  /** How it will complete without having been sent; null when it is to be sent. */
  static CompletionStatus refusal(WorkRequest request, DisniEndpoint endpoint) {
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
