package io.railflux.fabric;

/**
 * Entry of a completion queue. A fabric reuses one instance for all callbacks; its fields are valid during {@link
 * FabricListener#onCompletion} only.
 */
public final class Completion {

  /** Creates an empty completion. */
  public Completion() {}

  private long id;
  private Opcode opcode;
  private CompletionStatus status;
  private int lengthBytes;
  private int immediate;

  /**
   * Sets all fields. For fabrics.
   *
   * @param newId id of the request or receive
   * @param newOpcode operation that completed
   * @param newStatus outcome of the operation
   * @param newLengthBytes bytes received, otherwise 0
   * @param newImmediate immediate data, otherwise 0
   * @return this
   */
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

  /**
   * Returns the id of the request or receive.
   *
   * @return {@link WorkRequest#id}, or the id of the posted receive
   */
  public long id() {
    return id;
  }

  /**
   * Returns the operation.
   *
   * @return operation that completed
   */
  public Opcode opcode() {
    return opcode;
  }

  /**
   * Returns the outcome.
   *
   * @return outcome of the operation
   */
  public CompletionStatus status() {
    return status;
  }

  /**
   * Returns whether the operation succeeded.
   *
   * @return true with {@link CompletionStatus#SUCCESS}
   */
  public boolean succeeded() {
    return status == CompletionStatus.SUCCESS;
  }

  /**
   * Returns the bytes received.
   *
   * @return length in bytes; 0 for requests of this side and for failures
   */
  public int lengthBytes() {
    return lengthBytes;
  }

  /**
   * Returns the immediate data.
   *
   * @return data of {@link Opcode#RECEIVE_IMMEDIATE}, otherwise 0
   */
  public int immediate() {
    return immediate;
  }

  @Override
  public String toString() {
    return opcode + "#" + id + " " + status + " " + lengthBytes + " B";
  }
}
