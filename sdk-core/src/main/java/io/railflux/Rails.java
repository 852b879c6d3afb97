package io.railflux;

import io.railflux.address.OwnAddress;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * Selection of the network interfaces of this host that become rails automatically. A node that listens on every
 * interface, such as at {@code *:4711}, sends the addresses of the selected interfaces to its peers. A connecting
 * node that selects an interface in the same network connects to each of them. Immutable.
 */
public final class Rails {

  /**
   * Interfaces of containers, virtual machines and tunnels. They lead to no other host, or duplicate a physical
   * interface.
   */
  private static final List<String> VIRTUAL = List.of(
      "docker*",
      "br-*",
      "veth*",
      "virbr*",
      "vnet*",
      "cni*",
      "flannel*",
      "cali*",
      "cilium*",
      "lxc*",
      "podman*",
      "kube*",
      "tun*",
      "tap*",
      "wg*");

  private static final Rails DISCOVERED = new Rails(true, List.of("*"), VIRTUAL);

  private final boolean discovering;
  private final List<String> taken;
  private final List<String> left;

  private Rails(boolean discovering, List<String> taken, List<String> left) {
    this.discovering = discovering;
    this.taken = taken;
    this.left = left;
  }

  /**
   * Selects every interface that is up, except loopback and the interfaces of containers, virtual machines and
   * tunnels.
   *
   * @return the default selection
   */
  public static Rails discovered() {
    return DISCOVERED;
  }

  /**
   * Selects no interface: the rails are the addresses passed to {@link Node#connect} and {@link Peer#addRail}.
   *
   * @return the empty selection
   */
  public static Rails named() {
    return new Rails(false, List.of(), List.of());
  }

  /**
   * Selects the given interfaces only.
   *
   * @param interfaces names, in which {@code *} matches any characters; addresses; or networks such as {@code
   *     10.1.0.0/16}
   * @return the selection
   * @throws IllegalArgumentException if a network is malformed
   */
  public static Rails only(String... interfaces) {
    return new Rails(true, checked(interfaces), List.of());
  }

  /**
   * Excludes the given interfaces.
   *
   * @param interfaces names, addresses or networks as for {@link #only}
   * @return the smaller selection
   * @throws IllegalArgumentException if a network is malformed
   */
  public Rails except(String... interfaces) {
    List<String> more = new ArrayList<>(left);
    more.addAll(checked(interfaces));
    return new Rails(discovering, taken, List.copyOf(more));
  }

  private static List<String> checked(String... interfaces) {
    Objects.requireNonNull(interfaces, "interfaces");
    List<String> all = List.of(interfaces);
    all.forEach(Rails::matcher);
    return all;
  }

  boolean isDiscovering() {
    return discovering;
  }

  boolean takes(OwnAddress own) {
    return taken.stream().anyMatch(pattern -> matcher(pattern).test(own))
        && left.stream().noneMatch(pattern -> matcher(pattern).test(own));
  }

  private static Predicate<OwnAddress> matcher(String pattern) {
    int slash = pattern.indexOf('/');
    InetAddress address = OwnAddress.literal(slash < 0 ? pattern : pattern.substring(0, slash));
    if (address == null) {
      if (slash >= 0) {
        throw malformed(pattern);
      }
      Pattern name = Pattern.compile(Pattern.quote(pattern).replace("*", "\\E.*\\Q"));
      return own -> name.matcher(own.interfaceName()).matches();
    }
    int bits = 8 * address.getAddress().length;
    int prefix = slash < 0 ? bits : prefix(pattern, slash, bits);
    return own -> OwnAddress.share(own.address(), address, prefix);
  }

  private static int prefix(String pattern, int slash, int bits) {
    try {
      int prefix = Integer.parseInt(pattern.substring(slash + 1));
      if (prefix >= 0 && prefix <= bits) {
        return prefix;
      }
    } catch (NumberFormatException e) {
      // Reported below.
    }
    throw malformed(pattern);
  }

  private static IllegalArgumentException malformed(String pattern) {
    return new IllegalArgumentException(
        "'" + pattern
            + "' is no interface; write a name such as eth* or an address or network such as 10.1.0.0/16");
  }

  @Override
  public String toString() {
    return discovering ? "Rails" + taken + " without " + left : "Rails named";
  }
}
