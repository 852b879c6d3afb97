package io.railflux.policy;

/**
 * Bound for sending frames of lost rails again (FT3: V 10.3.2).
 *
 * @param maxAttempts number of rails that may be lost in succession with the same oldest unacknowledged frame. A
 *     frame that breaks every rail, for example because packets of its size are dropped, would otherwise do so for
 *     ever. The peer is then lost, but not within ten times {@code detectWithin} of the first loss. Any progress
 *     resets the count. Pieces of large messages do not count
 */
public record Retransmission(int maxAttempts) {

  /** 64 rails. */
  public static final Retransmission DEFAULT = new Retransmission(64);
}
