package io.railflux.fabric;

/** Outcome of a work request. */
public enum CompletionStatus {
  /** The request took effect. */
  SUCCESS,
  /**
   * The endpoint was in error before this request completed. After a {@link #TRANSPORT_RETRY} the request may have
   * taken effect; after any other failure it did not.
   */
  FLUSHED,
  /** The local range or registration was invalid; no byte was transferred. */
  LOCAL_PROTECTION,
  /** The remote key, range or permission was invalid; no byte was transferred. */
  REMOTE_ACCESS,
  /** A send was longer than the posted receive, or than the longest send of the fabric. */
  LENGTH,
  /** The peer did not acknowledge in time. It is unknown whether the request took effect. */
  TRANSPORT_RETRY,
  /** The peer posted no receive for too long. */
  RECEIVER_NOT_READY
}
