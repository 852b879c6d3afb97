package io.railflux.wire;

/** Defect of a frame header; each of them ends the session. */
public enum Violation {
  LENGTH_OUT_OF_RANGE("the frame is shorter than a header or longer than the ring has left"),
  PADDING_LENGTH("padding does not fill whole slots"),
  HEADER_LENGTH("the header length is below 32, above the frame length or no multiple of 8"),
  UNKNOWN_TYPE("the frame type is unknown and not marked as skippable"),
  SEALED("the frame is sealed where frames are not"),
  EXTENSION_OVERRUN("the flags announce more extensions than the header has room for"),
  MISSING_PIGGYBACK("a CREDIT frame carries no credit"),
  TIME_TO_LIVE("the time to live is not positive"),
  METADATA_OVERRUN("the metadata is longer than allowed or than the header has room for"),
  BODY_TOO_SHORT("a REQUEST frame has no room for its route id"),
  BATCH_FLAGS("a BATCH frame has an extension or a flag that belongs to single messages"),
  BATCH_TABLE("the table of a BATCH frame is empty, longer than its body or than 256 messages");

  private final String text;

  Violation(String text) {
    this.text = text;
  }

  /** Returns the sentence for logs and errors. */
  public String text() {
    return text;
  }
}
