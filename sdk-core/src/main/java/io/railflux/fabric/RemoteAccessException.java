package io.railflux.fabric;

/** A key that is unknown, revoked, of another peer or of another size. */
public final class RemoteAccessException extends Exception {

  private static final long serialVersionUID = 1L;

  public RemoteAccessException(String message) {
    super(message);
  }
}
