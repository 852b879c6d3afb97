package io.railflux.fabric;

/** One callback. */
public record Callback(
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

  static Callback connection(Kind kind, Endpoint endpoint, long attempt, String reason) {
    return new Callback(kind, endpoint, attempt, null, null, 0, 0, reason);
  }

  static Callback completion(Endpoint endpoint, Completion completion) {
    return new Callback(
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
