package io.railflux.engine;

/**
 * Sending half of a large message (RV1, RV2). Allowed transitions:
 *
 * <pre>
 *   OFFERED            --a grant to write a portion----------> WRITING
 *   WRITING            --all grants written or lost----------> OFFERED
 *   OFFERED, WRITING   --stream cancelled, refused or lost---> ABANDONED
 *   any                --DONE, or the end of the channel-----> OVER
 * </pre>
 */
enum RendezvousSendState {
  /** START is told: the receiver reads, waits for memory, or will say where to write. */
  OFFERED,
  /** The receiver said where to write. */
  WRITING,
  /** Nobody wants it any more; grants are given back unwritten until the receiver says DONE. */
  ABANDONED,
  /** Nothing of the source is used any more. */
  OVER;

  boolean canBecome(RendezvousSendState next) {
    return switch (this) {
      case OFFERED -> next == WRITING || next == ABANDONED || next == OVER;
      case WRITING -> next == OFFERED || next == ABANDONED || next == OVER;
      case ABANDONED -> next == OVER;
      case OVER -> false;
    };
  }
}
