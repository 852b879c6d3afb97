package io.railflux.fabric.tcp;

import io.railflux.fabric.Availability;
import io.railflux.fabric.Fabric;
import io.railflux.fabric.FabricContext;
import io.railflux.fabric.FabricProvider;

/**
 * TCP between hosts; there on every machine.
 *
 * <p>Locations are {@code host:port}: the host a name, an IPv4 address or an IPv6 address in brackets;
 * to listen, also {@code *} for every interface, and port 0 for one that is free.
 */
public final class TcpFabricProvider implements FabricProvider {

  static final String NAME = "tcp";

  /** With the defaults. */
  public TcpFabricProvider() {}

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Availability availability() {
    return Availability.yes("sockets of this JVM, by way of Netty");
  }

  @Override
  public Fabric open(FabricContext context) {
    return new TcpFabric(new TcpCore(context));
  }
}
