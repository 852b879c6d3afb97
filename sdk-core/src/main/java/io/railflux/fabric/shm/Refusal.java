package io.railflux.fabric.shm;

/** Why the accepting side sent a connecting one away. */
enum Refusal {
  MALFORMED(1, "it could not make sense of the handshake"),
  VERSION(2, "it speaks other versions of the protocol; upgrade the older side"),
  NO_LINK(3, "it cannot map our memory; both sides need the same /dev/shm and room in it"),
  BUSY(4, "it has too many unfinished handshakes; try again"),
  OTHER_USER(5, "it runs as another user"),
  UNKNOWN(0, "for a reason this version does not know");

  private final int code;
  private final String words;

  Refusal(int code, String words) {
    this.code = code;
    this.words = words;
  }

  static Refusal of(int code) {
    for (Refusal refusal : values()) {
      if (refusal.code == code) {
        return refusal;
      }
    }
    return UNKNOWN;
  }

  int code() {
    return code;
  }

  /** Completes "the peer refused: ". */
  String words() {
    return words;
  }
}
