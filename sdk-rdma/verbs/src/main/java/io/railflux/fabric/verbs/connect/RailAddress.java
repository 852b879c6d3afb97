package io.railflux.fabric.verbs.connect;

import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** IP addresses of RDMA devices, by the network interface of each device. */
public final class RailAddress {

  private static final Path DEVICES = Path.of("/sys/class/infiniband");

  private RailAddress() {}

  /** Returns an RDMA address of this host: that of the first device with one. */
  public static InetAddress any() throws IOException {
    for (String network : networks(DEVICES)) {
      Optional<InetAddress> address = of(network);
      if (address.isPresent()) {
        return address.get();
      }
    }
    throw new IOException(
        "no RDMA device of this host has an IP address: listen at a given address, or add an address with ip address add");
  }

  private static Optional<InetAddress> of(String network) throws IOException {
    NetworkInterface found = NetworkInterface.getByName(network);
    Stream<InetAddress> addresses = found == null ? Stream.empty() : found.inetAddresses();
    return addresses
        .filter(address -> !address.isLinkLocalAddress())
        .min(Comparator.comparing(address -> !(address instanceof Inet4Address)));
  }

  /** Returns the network interfaces of the devices under {@code devices}, in the order of device names. */
  static List<String> networks(Path devices) throws IOException {
    if (!Files.isDirectory(devices)) {
      return List.of();
    }
    try (Stream<Path> all = Files.list(devices)) {
      List<Path> sorted = all.sorted().toList();
      List<String> networks = new ArrayList<>();
      for (Path device : sorted) {
        networks.addAll(networksOf(device));
      }
      return networks;
    }
  }

  private static List<String> networksOf(Path device) throws IOException {
    Path roce = device.resolve("ports/1/gid_attrs/ndevs/0");
    if (Files.isReadable(roce)) {
      return List.of(Files.readString(roce).strip());
    }
    Path byBus = device.resolve("device/net");
    if (!Files.isDirectory(byBus)) {
      return List.of();
    }
    try (DirectoryStream<Path> interfaces = Files.newDirectoryStream(byBus)) {
      List<String> names = new ArrayList<>();
      interfaces.forEach(path -> names.add(path.getFileName().toString()));
      return names;
    }
  }
}
