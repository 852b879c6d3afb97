package io.railflux.policy;

/**
 * How often what a lost rail carried is sent again (FT3: V 10.3.2).
 *
 * @param mostAttempts how many rails in succession may be lost with the oldest frame that is not acknowledged. One that
 *     takes down every rail it is sent over, as where packets of its size vanish, would do so for ever: beyond this the
 *     peer is lost, with that cause, though not within ten times {@code detectWithin} of the first. Any progress begins
 *     anew. Pieces of large messages do not count
 */
public record Retransmission(int mostAttempts) {

  /** 64 rails. */
  public static final Retransmission DEFAULT = new Retransmission(64);
}
