package io.railflux.fabric.disni;

import com.ibm.disni.verbs.RdmaCmEvent.EventType;

/** Explanations of failed connects by the connection manager. */
final class DisniRefusals {

  private DisniRefusals() {}

  static String text(EventType type, String whom) {
    return switch (type) {
      case RDMA_CM_EVENT_ADDR_ERROR -> "no RDMA device of this host reaches " + whom;
      case RDMA_CM_EVENT_ROUTE_ERROR -> "no route to " + whom;
      case RDMA_CM_EVENT_REJECTED ->
        whom + " refused: no listener at this address, or its backlog is full";
      case RDMA_CM_EVENT_UNREACHABLE -> whom + " does not answer";
      case RDMA_CM_EVENT_DISCONNECTED -> whom + " closed the connection at once";
      case RDMA_CM_EVENT_DEVICE_REMOVAL -> "the RDMA device towards " + whom + " was removed";
      default -> "cannot connect to " + whom + ": " + type;
    };
  }
}
