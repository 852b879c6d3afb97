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

  private static final Set<String> HOST_PORT_SCHEMES = Set.of("tcp", "verbs", "disni");

  private static final Pattern FABRIC_NAME = Pattern.compile("[A-Za-z][A-Za-z0-9_+-]*");

  private static final Pattern ANY_PORT = Pattern.compile(".*:0+");

  private static final String HOST_PORT =
      "write host:port with a port of 0 to 65535, such as 10.0.0.7:4711, [::1]:4711, *:4711 or"
          + " db.example.org:4711";

  private static final Pattern SHM_NAME = Pattern.compile("[A-Za-z0-9._-]{1,64}");

  private static final Pattern PORT = Pattern.compile("\\d{1,9}");

  private static final int MAX_PORT = 0xFFFF;

  private static final Pattern HOST_AND_PORT = Pattern.compile("(\\[[^\\]]+]|[^:\\[\\]]+):\\d+");

  public static Address parse(String untrimmed) {
    String text = untrimmed.strip();
    requireNoUrl(text);
    int colon = text.indexOf(':');
    boolean named = colon > 0 && SCHEMES.contains(text.substring(0, colon));
    if (!named && HOST_AND_PORT.matcher(text).matches()) {
      return new Address(AUTO, requireLocation(AUTO, text));
    }
    if (colon < 1 || colon == text.length() - 1) {
      throw new IllegalArgumentException(
          "address '" + text
              + "' is neither host:port nor fabric:location; write for example 10.0.0.7:4711 or shm:prices");
    }
    String scheme = text.substring(0, colon);
    if (!FABRIC_NAME.matcher(scheme).matches()) {
      throw malformed(text, HOST_PORT);
    }
    return new Address(scheme, requireLocation(scheme, text.substring(colon + 1)));
  }

  private static void requireNoUrl(String text) {
    int slashes = text.indexOf("://");
    if (slashes < 0) {
      return;
    }
    String scheme = text.substring(0, slashes);
    String rest = text.substring(slashes + 3);
    boolean named = SCHEMES.contains(scheme);
    if (!scheme.equals("shm")) {
      rest = rest.replaceFirst("/.*", "");
    }
    boolean usable = named ? !rest.isEmpty() : hasPort(rest);
    throw malformed(
        text, usable ? "write " + (named ? scheme + ":" : "") + rest : "write host:port");
  }

  private static IllegalArgumentException malformed(Object address, String remedy) {
    return new IllegalArgumentException("malformed address " + address + ": " + remedy);
  }

  /** Refuses what no fabric could use, before anything is bound or connected. */
  private static String requireLocation(String scheme, String location) {
    boolean malformed = switch (scheme) {
      case AUTO, "tcp" -> !hasPort(location);
      case "shm" -> !location.startsWith("/") && !SHM_NAME.matcher(location).matches();
      default -> false;
    };
    if (malformed) {
      throw malformed(
          new Address(scheme, location),
          scheme.equals("shm")
              ? "a name has 1 to 64 of A-Z a-z 0-9 . _ -, and a path is absolute"
              : HOST_PORT);
    }
    return location;
  }

  private static boolean hasPort(String location) {
    int colon = location.lastIndexOf(':');
    String host = location.substring(0, Math.max(colon, 0));
    boolean bracketed = host.startsWith("[") && host.endsWith("]");
    String digits = location.substring(colon + 1);
    return !host.isEmpty()
        && host.indexOf('/') < 0
        && (bracketed || !host.contains(":"))
        && PORT.matcher(digits).matches()
        && Integer.parseInt(digits) <= MAX_PORT;
  }

  /** Parses several addresses, separated by commas. */
  public static List<Address> parseAll(String addresses) {
    return List.of(addresses.split(",", -1)).stream().map(Address::parse).toList();
  }

  /**
   * Refuses an address that only a listener can use.
   *
   * @throws IllegalArgumentException for the host {@code *} and for port 0
   */
  public void requireDestination() {
    if (!isAuto() && !HOST_PORT_SCHEMES.contains(scheme)) {
      return;
    }
    if (location.startsWith("*:")) {
      throw malformed(this, "* means every interface of a listener; write the host of the node");
    }
    if (ANY_PORT.matcher(location).matches()) {
      throw malformed(this, "port 0 means any free port of a listener; write the port in use");
    }
  }

  public boolean isAuto() {
    return scheme.equals(AUTO);
  }

  @Override
  public String toString() {
    return isAuto() ? location : scheme + ":" + location;
  }
}
