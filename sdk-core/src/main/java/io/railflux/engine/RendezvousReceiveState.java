package io.railflux.engine;

/**
 * Receiving half of a large message (RV1, RV2). Allowed transitions:
 *
 * <pre>
 *   AWAITING_MEMORY          --the budget's turn-------------------> MOVING
 *   MOVING                   --every byte is here------------------> LANDED
 *   MOVING                   --cancelled while the peer may write--> ABANDONED
 *   AWAITING_MEMORY, MOVING  --cancelled---------------------------> OVER
 *   LANDED                   --delivered or dropped----------------> OVER
 *   ABANDONED                --FIN of every grant, or drained------> OVER
 *   any                      --the end of the channel--------------> OVER
 * </pre>
 */
enum RendezvousReceiveState {
  /** START was read; the node's budget has no room yet, or others came first. */
  AWAITING_MEMORY,
  /** This side reads, or the peer writes where it was told to. */
  MOVING,
  /** All of it can be read, and is acknowledged unless it lies in its sender's memory; waits for its turn. */
  LANDED,
  /** Dropped; the memory is pinned until nothing can land in it any more. */
  ABANDONED,
  OVER;

  boolean canBecome(RendezvousReceiveState next) {
    return switch (this) {
      case AWAITING_MEMORY -> next == MOVING || next == OVER;
      case MOVING -> next == LANDED || next == ABANDONED || next == OVER;
      case LANDED, ABANDONED -> next == OVER;
      case OVER -> false;
    };
  }
}
