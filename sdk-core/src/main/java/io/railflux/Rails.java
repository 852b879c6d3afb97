package io.railflux;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * Which network interfaces of this host become rails by themselves. A node that listens at every interface, such
 * as at {@code *:4711}, tells its peers the addresses of these, and a peer that connected to one of them connects
 * to the others as well, where it has an interface of its own in the same network: one rail for each. Immutable.
 */
public final class Rails {

  /** What containers, virtual machines and tunnels bring: not ways to other hosts, or ways twice. */
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

  /** Every interface that is up, but loopback and those that containers, virtual machines and tunnels bring. */
  public static Rails discovered() {
    return DISCOVERED;
  }

  /** None: rails are the addresses that are named in {@link Node#connect} and {@link Peer#addRail}. */
  public static Rails named() {
    return new Rails(false, List.of(), List.of());
  }

  /**
   * Only those.
   *
   * @param interfaces names, in which {@code *} stands for anything, addresses, or networks such as {@code
   *     10.1.0.0/16}
   */
  public static Rails only(String... interfaces) {
    return new Rails(true, checked(interfaces), List.of());
  }

  /** Without those, named as for {@link #only}. */
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
      // Told below.
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
