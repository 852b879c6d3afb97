package io.railflux.exceptions;

import java.util.Objects;

/** The peer refused to open a stream or to take a request. No message was delivered. */
public final class StreamRejectedException extends RailfluxException {

  /** Why the peer refused. */
  public enum Reason {
    /** A stream of that name is already open between the two nodes. */
    DUPLICATE_NAME,
    /** The two sides named different codecs for the stream. */
    CODEC_MISMATCH,
    /** Nobody subscribed to or serves that name on the peer. */
    NO_SUCH_ROUTE,
    /** The peer's limit of open streams is reached. */
    TOO_MANY_STREAMS,
    /** The peer is shutting down. */
    CLOSING
  }

  private static final long serialVersionUID = 1L;

  private final Reason reason;

  /** A refusal with its reason and a sentence naming the stream and the peer. */
  public StreamRejectedException(Reason reason, String message) {
    super(message);
    this.reason = Objects.requireNonNull(reason, "reason");
  }

  /** Why the peer refused. */
  public Reason reason() {
    return reason;
  }
}
