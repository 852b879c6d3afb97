package io.railflux.fabric.shm.socket;

import io.railflux.buffer.OpenFiles;

/** Reason why the accepting side refused a connection. */
public enum Refusal {
  MALFORMED(1, "it could not decode the handshake"),
  VERSION(2, "it supports other versions of the protocol; upgrade the older side"),
  NO_LINK(
      3,
      "it cannot map the memory of this process; both sides need the same /dev/shm and room in it"),
  BUSY(4, "it has too many unfinished handshakes; try again"),
  OTHER_USER(5, "it runs as another user"),
  NO_FILES(6, "it has " + OpenFiles.SHORTAGE),
  UNKNOWN(0, "for a reason that this version does not define");

  private final int code;
  private final String words;

  Refusal(int code, String words) {
    this.code = code;
    this.words = words;
  }

  public static Refusal of(int code) {
    for (Refusal refusal : values()) {
      if (refusal.code == code) {
        return refusal;
      }
    }
    return UNKNOWN;
  }

  public int code() {
    return code;
  }

  /** Completes "the peer refused: ". */
  public String words() {
    return words;
  }
}
