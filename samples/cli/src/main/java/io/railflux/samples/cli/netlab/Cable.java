package io.railflux.samples.cli.netlab;

import io.railflux.samples.cli.shell.CommandFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** One rail between the two hosts, symmetric in both directions. */
final class Cable {

  /** Packets within the kernel have up to 64 KiB. The bucket must hold several. */
  private static final String BURST = "128kb";

  private static final String LATENCY = "20ms";

  private final Hosts hosts;
  private final int rail;

  Cable(Hosts hosts, int rail) {
    this.hosts = hosts;
    this.rail = rail;
  }

  static String nearAddress(int rail) {
    return "10.91." + rail + ".1";
  }

  static String farAddress(int rail) {
    return "10.91." + rail + ".2";
  }

  private String device() {
    return "rail" + rail;
  }

  void lay(int megabits) {
    Ip.run(
        "ip",
        "link",
        "add",
        device(),
        "netns",
        hosts.near(),
        "type",
        "veth",
        "peer",
        "name",
        device(),
        "netns",
        hosts.far());
    address(hosts.near(), nearAddress(rail));
    address(hosts.far(), farAddress(rail));
    rate(megabits);
  }

  private void address(String host, String address) {
    Ip.run("ip", "-n", host, "addr", "add", address + "/24", "dev", device());
    Ip.run("ip", "-n", host, "link", "set", device(), "up");
  }

  /** Sets the rate in megabits per second for each direction. */
  void rate(int megabits) {
    for (String host : new String[] {hosts.near(), hosts.far()}) {
      tc(host, "qdisc replace dev " + device() + " root " + bucket(megabits));
    }
  }

  /**
   * Limits the rate of each connection instead of the total, as a network with several equal links does. The port of
   * the near host selects one of {@code links} links, each with the given rate.
   */
  void spread(int links, int megabits) {
    if (Integer.bitCount(links) != 1) {
      throw new IllegalArgumentException("links must be a power of two, were " + links);
    }
    spread(hosts.near(), "sport", links, megabits);
    spread(hosts.far(), "dport", links, megabits);
  }

  private void spread(String host, String port, int links, int megabits) {
    tc(host, "qdisc replace dev " + device() + " root handle 1: htb default 1");
    for (int link = 1; link <= links; link++) {
      String id = "1:" + Integer.toHexString(link);
      // The class only sorts. The bucket below it limits the rate.
      tc(
          host,
          "class add dev " + device() + " parent 1: classid " + id
              + " htb rate 10gbit quantum 60000");
      tc(host, "qdisc add dev " + device() + " parent " + id + " " + bucket(megabits));
      // Linux uses even ports for outgoing connections.
      String match = " 0x%x 0x%x".formatted(2 * (link - 1), 2 * (links - 1));
      tc(
          host,
          "filter add dev " + device() + " parent 1: protocol ip u32 match ip " + port + match
              + " flowid " + id);
    }
  }

  private static String bucket(int megabits) {
    return "tbf rate " + megabits + "mbit burst " + BURST + " latency " + LATENCY;
  }

  private static void tc(String host, String command) {
    Ip.run(("tc -n " + host + " " + command).split(" "));
  }

  /** Pulls the cable: the interface of the near host loses its carrier. */
  void pull() {
    Ip.run("ip", "-n", hosts.far(), "link", "set", device(), "down");
  }

  void plug() {
    Ip.run("ip", "-n", hosts.far(), "link", "set", device(), "up");
  }

  /**
   * Returns the bytes that the near host sent over this cable, including headers and retransmissions. Near host only.
   */
  long sentBytes() {
    Path counter = Path.of("/sys/class/net", device(), "statistics/tx_bytes");
    try {
      return Long.parseLong(Files.readString(counter).strip());
    } catch (IOException e) {
      throw new CommandFailure("cannot read " + counter + ": " + e.getMessage(), e);
    }
  }
}
