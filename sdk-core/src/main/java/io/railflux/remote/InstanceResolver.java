package io.railflux.remote;

import io.railflux.address.Address;
import io.railflux.address.HostPort;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * Finds the instances behind the addresses of a place. Each address of a host name is an instance, as for the headless
 * service of a cluster; the name of this host is one.
 */
public final class InstanceResolver implements SessionPool.Resolver {

  private static final String TCP = "tcp";

  private final List<Address> addresses;
  private final Executor blocking;
  private final Executor engine;

  /**
   * @param blocking runs lookups, which may block
   * @param engine runs callbacks later on the engine thread
   */
  public InstanceResolver(List<Address> addresses, Executor blocking, Executor engine) {
    this.addresses = List.copyOf(addresses);
    this.blocking = blocking;
    this.engine = engine;
  }

  @Override
  public void resolve(Consumer<List<String>> found, Consumer<Throwable> failed) {
    blocking.execute(() -> {
      List<String> instances = new ArrayList<>();
      UnknownHostException unknown = null;
      for (Address address : addresses) {
        try {
          addInstances(address, instances);
        } catch (UnknownHostException e) {
          unknown = e;
        }
      }
      if (instances.isEmpty() && unknown != null) {
        Throwable cause = new UnknownHostException("unknown host " + unknown.getMessage());
        engine.execute(() -> failed.accept(cause));
      } else {
        engine.execute(() -> found.accept(instances));
      }
    });
  }

  private static void addInstances(Address address, List<String> instances)
      throws UnknownHostException {
    if (!address.isAuto() && !address.scheme().equals(TCP)) {
      instances.add(address.toString());
      return;
    }
    HostPort to = HostPort.parse(address.location());
    InetAddress[] found = InetAddress.getAllByName(to.host());
    if (found.length == 1 || to.isThisHost()) {
      instances.add(address.toString());
      return;
    }
    for (InetAddress instance : found) {
      String location = HostPort.location(instance, to.port());
      instances.add(new Address(address.scheme(), location).toString());
    }
  }
}
