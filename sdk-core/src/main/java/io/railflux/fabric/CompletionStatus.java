package io.railflux.fabric;

/** Outcome of a work request. */
public enum CompletionStatus {
  SUCCESS,
  /**
   * The endpoint was in error before this request completed. Behind a {@link #TRANSPORT_RETRY} it may
   * have taken effect all the same; behind any other failure it has not.
   */
  FLUSHED,
  /** Local range or registration wrong; nothing was transferred. */
  LOCAL_PROTECTION,
  /** Remote key, range or permission wrong; nothing was transferred. */
  REMOTE_ACCESS,
  /** A send was longer than the receive posted for it, or than the fabric's longest send. */
  LENGTH,
  /** The peer did not acknowledge in time. Whether the request took effect is unknown. */
  TRANSPORT_RETRY,
  /** The peer had no receive posted for too long. */
  RECEIVER_NOT_READY
}
