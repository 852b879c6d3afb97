package io.railflux.fabric.verbs.device;

/** The layout of the installed library differs from the bindings; using it would corrupt memory. */
public final class UnknownLayoutException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  UnknownLayoutException(String message) {
    super(message);
  }
}
