package io.railflux.samples.cli.netlab;

import io.railflux.samples.cli.shell.CommandFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** One rail between the two hosts, both directions of it alike. */
final class Cable {

  /** Packets of the kernel's own making have up to 64 KiB; the bucket must hold some. */
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

  /** Megabits a second, each direction. */
  void rate(int megabits) {
    for (String host : new String[] {hosts.near(), hosts.far()}) {
      tc(host, "qdisc replace dev " + device() + " root " + bucket(megabits));
    }
  }

  /**
   * As where a network bounds the rate of each connection, or has as many links and spreads connections over them: so
   * many side by side, each with that rate, chosen by the near host's port.
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
      // The class only sorts; the bucket below it bounds.
      tc(
          host,
          "class add dev " + device() + " parent 1: classid " + id
              + " htb rate 10gbit quantum 60000");
      tc(host, "qdisc add dev " + device() + " parent " + id + " " + bucket(megabits));
      // Linux takes even ports to connect from.
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

  /** Pulls it: the interface of the near host sees that the other end is down. */
  void pull() {
    Ip.run("ip", "-n", hosts.far(), "link", "set", device(), "down");
  }

  void plug() {
    Ip.run("ip", "-n", hosts.far(), "link", "set", device(), "up");
  }

  /** Bytes that left the near host through it, headers and what was sent again among them; only on that host. */
  long sentBytes() {
    Path counter = Path.of("/sys/class/net", device(), "statistics/tx_bytes");
    try {
      return Long.parseLong(Files.readString(counter).strip());
    } catch (IOException e) {
      throw new CommandFailure("cannot read " + counter + ": " + e.getMessage(), e);
    }
  }
}
