package io.railflux.fabric.disni;

/** Numbers of verbs in completions that DiSNI has no constants for. */
final class Opcodes {

  /** Of a receive that a write with immediate data consumed. */
  static final int WRITTEN_WITH_IMMEDIATE = 129;

  /** Flag of a receive that immediate data came with. */
  static final int WITH_IMMEDIATE = 1 << 1;

  private Opcodes() {}
}
