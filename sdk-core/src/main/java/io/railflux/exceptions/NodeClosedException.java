package io.railflux.exceptions;

/** This node, or a remote of it, is closed or closing. It starts no further operation. */
public final class NodeClosedException extends RailfluxException {

  private static final long serialVersionUID = 1L;

  /**
   * Creates the exception.
   *
   * @param message the node or the remote
   */
  public NodeClosedException(String message) {
    super(message);
  }
}
