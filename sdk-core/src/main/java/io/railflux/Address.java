package io.railflux;

import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * {@code scheme:location}, the scheme being the name of a fabric; or {@code host:port}, which leaves the
 * choice of the fabric to the node.
 */
record Address(String scheme, String location) {

  /** Scheme of addresses that name none. */
  static final String AUTO = "auto";

  /** Never names of hosts, even where the fabric is not there. */
  private static final Set<String> SCHEMES = Set.of(AUTO, "shm", "tcp", "verbs", "disni", "sim");

  private static final Pattern HOST_AND_PORT = Pattern.compile("(\\[[^\\]]+]|[^:\\[\\]]+):\\d+");

  static Address parse(String untrimmed) {
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

  /** Several, separated by commas. */
  static List<Address> parseAll(String addresses) {
    return List.of(addresses.split(",", -1)).stream().map(Address::parse).toList();
  }

  boolean isAuto() {
    return scheme.equals(AUTO);
  }

  @Override
  public String toString() {
    return isAuto() ? location : scheme + ":" + location;
  }
}
