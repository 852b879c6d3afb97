package io.railflux.fabric;

/**
 * What a completion queue entry says. One instance per fabric, reused for every callback: fields are
 * valid during {@link FabricListener#onCompletion} only.
 */
public final class Completion {

  /** An empty completion. */
  public Completion() {}

  private long id;
  private Opcode opcode;
  private CompletionStatus status;
  private int lengthBytes;
  private int immediate;

  /** For fabrics: fills all fields anew and returns this. */
  public Completion set(
      long newId,
      Opcode newOpcode,
      CompletionStatus newStatus,
      int newLengthBytes,
      int newImmediate) {
    id = newId;
    opcode = newOpcode;
    status = newStatus;
    lengthBytes = newLengthBytes;
    immediate = newImmediate;
    return this;
  }

  /** {@link WorkRequest#id} or the id of the posted receive. */
  public long id() {
    return id;
  }

  public Opcode opcode() {
    return opcode;
  }

  public CompletionStatus status() {
    return status;
  }

  public boolean succeeded() {
    return status == CompletionStatus.SUCCESS;
  }

  /** Bytes received; 0 for requests of the sending side and for failures. */
  public int lengthBytes() {
    return lengthBytes;
  }

  /** Immediate data of {@link Opcode#RECEIVE_IMMEDIATE}, else 0. */
  public int immediate() {
    return immediate;
  }

  @Override
  public String toString() {
    return opcode + "#" + id + " " + status + " " + lengthBytes + " B";
  }
}
