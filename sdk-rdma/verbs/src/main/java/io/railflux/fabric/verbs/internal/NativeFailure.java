package io.railflux.fabric.verbs.internal;

import java.io.IOException;

/** A failed call of a native library, with its error number. */
public final class NativeFailure extends IOException {

  private static final long serialVersionUID = 1L;

  private final String function;
  private final int errno;

  public NativeFailure(String function, int errno) {
    super(function + ": " + Errno.text(errno));
    this.function = function;
    this.errno = errno;
  }

  public String function() {
    return function;
  }

  /** Returns a number of {@code errno.h}. */
  public int errno() {
    return errno;
  }
}
