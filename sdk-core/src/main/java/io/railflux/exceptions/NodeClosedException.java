package io.railflux.exceptions;

/** The local node is closed or closing: no operation on it or on its peers can start any more. */
public final class NodeClosedException extends RailfluxException {

  private static final long serialVersionUID = 1L;

  /** The message names the node. */
  public NodeClosedException(String message) {
    super(message);
  }
}
