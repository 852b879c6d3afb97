package io.railflux.exceptions;

/** This node is closed or closing. It starts no further operation. */
public final class NodeClosedException extends RailfluxException {

  private static final long serialVersionUID = 1L;

  /**
   * Creates the exception.
   *
   * @param message the node
   */
  public NodeClosedException(String message) {
    super(message);
  }
}
