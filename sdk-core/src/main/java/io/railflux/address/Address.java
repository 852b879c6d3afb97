package io.railflux.address;

import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * {@code scheme:location}, where the scheme is the name of a fabric; or {@code host:port}, for which the node chooses
 * the fabric.
 */
public record Address(String scheme, String location) {

  /** Scheme of addresses without one. */
  public static final String AUTO = "auto";

  /** Never names of hosts, even if the fabric is missing. */
  private static final Set<String> SCHEMES = Set.of(AUTO, "shm", "tcp", "verbs", "disni", "sim");

  private static final Pattern HOST_AND_PORT = Pattern.compile("(\\[[^\\]]+]|[^:\\[\\]]+):\\d+");

  public static Address parse(String untrimmed) {
    String text = untrimmed.strip();
    int colon = text.indexOf(':');
    boolean named = colon > 0 && SCHEMES.contains(text.substring(0, colon));
    if (!named && HOST_AND_PORT.matcher(text).matches()) {
      return new Address(AUTO, text);
    }
    if (colon < 1 || colon == text.length() - 1) {
      throw new IllegalArgumentException(
          "address '" + text
              + "' is neither host:port nor fabric:location; write for example 10.0.0.7:4711 or shm:prices");
    }
    return new Address(text.substring(0, colon), text.substring(colon + 1));
  }

  /** Parses several addresses, separated by commas. */
  public static List<Address> parseAll(String addresses) {
    return List.of(addresses.split(",", -1)).stream().map(Address::parse).toList();
  }

  public boolean isAuto() {
    return scheme.equals(AUTO);
  }

  @Override
  public String toString() {
    return isAuto() ? location : scheme + ":" + location;
  }
}
