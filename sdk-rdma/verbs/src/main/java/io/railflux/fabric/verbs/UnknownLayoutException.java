package io.railflux.fabric.verbs;

/** The installed library is not laid out as the bindings know it: using it would corrupt memory. */
final class UnknownLayoutException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  UnknownLayoutException(String message) {
    super(message);
  }
}
