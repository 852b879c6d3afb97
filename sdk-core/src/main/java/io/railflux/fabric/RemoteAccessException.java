package io.railflux.fabric;

/** The key of a region is unknown, revoked, of another peer or of another size. */
public final class RemoteAccessException extends Exception {

  private static final long serialVersionUID = 1L;

  /**
   * Creates the exception.
   *
   * @param message key and cause
   */
  public RemoteAccessException(String message) {
    super(message);
  }
}
