package io.railflux.fabric.disni.queue;

/** Numbers in completions that DiSNI does not define. */
public final class Opcodes {

  /** Receive consumed by a write with immediate data. */
  public static final int WRITTEN_WITH_IMMEDIATE = 129;

  /** Flag of a receive with immediate data. */
  public static final int WITH_IMMEDIATE = 1 << 1;

  private Opcodes() {}
}
