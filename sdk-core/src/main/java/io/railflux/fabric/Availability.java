package io.railflux.fabric;

/**
 * Answer of a fabric to "do you work here?".
 *
 * @param available whether the fabric can be opened
 * @param reason what was found, in one line; never empty
 * @param remedy what to do about it; empty when available
 */
public record Availability(boolean available, String reason, String remedy) {

  public static Availability yes(String reason) {
    return new Availability(true, reason, "");
  }

  public static Availability no(String reason, String remedy) {
    return new Availability(false, reason, remedy);
  }
}
