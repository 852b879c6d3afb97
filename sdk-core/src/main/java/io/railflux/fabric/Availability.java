package io.railflux.fabric;

/**
 * Whether a fabric works on this host.
 *
 * @param available whether the fabric can be opened
 * @param reason finding in one line, never empty
 * @param remedy action that makes the fabric available; empty if it is available
 */
public record Availability(boolean available, String reason, String remedy) {

  /**
   * Creates the result of an available fabric.
   *
   * @param reason finding in one line
   * @return the result
   */
  public static Availability yes(String reason) {
    return new Availability(true, reason, "");
  }

  /**
   * Creates the result of an unavailable fabric.
   *
   * @param reason missing requirement in one line
   * @param remedy action that provides it
   * @return the result
   */
  public static Availability no(String reason, String remedy) {
    return new Availability(false, reason, remedy);
  }
}
