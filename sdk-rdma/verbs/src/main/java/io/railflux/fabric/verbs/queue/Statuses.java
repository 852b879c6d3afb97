package io.railflux.fabric.verbs.queue;

import io.railflux.fabric.CompletionStatus;
import io.railflux.fabric.verbs.internal.IbvWc;

/** Converts statuses of work completions to those of the SPI and to text. */
public final class Statuses {

  private Statuses() {}

  static CompletionStatus of(int status) {
    return switch (status) {
      case IbvWc.SUCCESS -> CompletionStatus.SUCCESS;
      case IbvWc.WR_FLUSH_ERR -> CompletionStatus.FLUSHED;
      case IbvWc.LOC_PROT_ERR, IbvWc.LOC_ACCESS_ERR -> CompletionStatus.LOCAL_PROTECTION;
      case IbvWc.LOC_LEN_ERR, IbvWc.REM_INV_REQ_ERR -> CompletionStatus.LENGTH;
      case IbvWc.REM_ACCESS_ERR -> CompletionStatus.REMOTE_ACCESS;
      case IbvWc.RNR_RETRY_EXC_ERR -> CompletionStatus.RECEIVER_NOT_READY;
      // For all other statuses it is unknown whether the request took effect.
      default -> CompletionStatus.TRANSPORT_RETRY;
    };
  }

  public static String words(int status) {
    return switch (status) {
      case IbvWc.LOC_QP_OP_ERR -> "the device cannot send (is the link down?)";
      case IbvWc.RETRY_EXC_ERR -> "no acknowledgement";
      case IbvWc.RNR_RETRY_EXC_ERR -> "the peer has no receive posted";
      case IbvWc.REM_OP_ERR -> "the peer's device failed";
      default -> of(status) + " (status " + status + ")";
    };
  }
}
