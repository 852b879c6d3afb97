package io.railflux.fabric.disni.queue;

import com.ibm.disni.verbs.IbvWC.IbvWcStatus;
import io.railflux.fabric.CompletionStatus;

/** Converts statuses of the card to those of the SPI. */
public final class DisniStatuses {

  private static final IbvWcStatus[] NATIVE = IbvWcStatus.values();

  private DisniStatuses() {}

  public static boolean isSuccess(int status) {
    return status == 0;
  }

  /** Unless the request certainly had no effect, its outcome is unknown, as after a lost acknowledgement. */
  public static CompletionStatus of(int status) {
    return switch (NATIVE[status]) {
      case IBV_WC_SUCCESS -> CompletionStatus.SUCCESS;
      case IBV_WC_WR_FLUSH_ERR -> CompletionStatus.FLUSHED;
      case IBV_WC_LOC_PROT_ERR, IBV_WC_LOC_ACCESS_ERR -> CompletionStatus.LOCAL_PROTECTION;
      case IBV_WC_REM_ACCESS_ERR, IBV_WC_REM_INV_REQ_ERR -> CompletionStatus.REMOTE_ACCESS;
      case IBV_WC_LOC_LEN_ERR -> CompletionStatus.LENGTH;
      case IBV_WC_RNR_RETRY_EXC_ERR -> CompletionStatus.RECEIVER_NOT_READY;
      default -> CompletionStatus.TRANSPORT_RETRY;
    };
  }

  /** Returns text for people. */
  public static String text(int status) {
    return switch (NATIVE[status]) {
      case IBV_WC_RETRY_EXC_ERR -> "the peer does not acknowledge (RETRY_EXC)";
      case IBV_WC_REM_ACCESS_ERR -> "the peer refused the access (REM_ACCESS)";
      case IBV_WC_WR_FLUSH_ERR -> "the connection failed (WR_FLUSH)";
      default -> NATIVE[status].name().replace("IBV_WC_", "").replace("_ERR", "");
    };
  }
}
