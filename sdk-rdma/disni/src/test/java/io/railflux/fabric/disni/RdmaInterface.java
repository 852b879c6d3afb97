package io.railflux.fabric.disni;

import java.io.IOException;
import java.net.Inet4Address;
import java.net.InterfaceAddress;
import java.net.NetworkInterface;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** An IPv4 address of an RDMA device of this host. */
final class RdmaInterface {

  private static final Path DEVICES = Path.of("/sys/class/infiniband");

  private RdmaInterface() {}

  static String address() throws IOException {
    try (DirectoryStream<Path> devices = Files.newDirectoryStream(DEVICES)) {
      for (Path device : devices) {
        Path name = device.resolve("ports/1/gid_attrs/ndevs/0");
        String address =
            Files.isReadable(name) ? addressOf(Files.readString(name).strip()) : null;
        if (address != null) {
          return address;
        }
      }
    }
    throw new IOException("no RDMA device in " + DEVICES + " has an IPv4 address");
  }

  private static String addressOf(String networkInterface) throws IOException {
    NetworkInterface found = NetworkInterface.getByName(networkInterface);
    if (found == null) {
      return null;
    }
    for (InterfaceAddress address : found.getInterfaceAddresses()) {
      if (address.getAddress() instanceof Inet4Address) {
        return address.getAddress().getHostAddress();
      }
    }
    return null;
  }
}
