package io.railflux.fabric;

/** One callback. */
public record Heard(
    Kind kind,
    Endpoint endpoint,
    long id,
    Opcode opcode,
    CompletionStatus status,
    int lengthBytes,
    int immediate,
    String reason) {

  public enum Kind {
    CONNECTED,
    CONNECT_FAILED,
    COMPLETION,
    ERROR,
    DRAINED
  }

  static Heard connection(Kind kind, Endpoint endpoint, long attempt, String reason) {
    return new Heard(kind, endpoint, attempt, null, null, 0, 0, reason);
  }

  static Heard completion(Endpoint endpoint, Completion completion) {
    return new Heard(
        Kind.COMPLETION,
        endpoint,
        completion.id(),
        completion.opcode(),
        completion.status(),
        completion.lengthBytes(),
        completion.immediate(),
        "");
  }

  public boolean isReceive() {
    return opcode == Opcode.RECEIVE || opcode == Opcode.RECEIVE_IMMEDIATE;
  }

  @Override
  public String toString() {
    return kind + " " + id + (opcode == null ? " " + reason : " " + opcode + " " + status);
  }
}
