package io.railflux.fabric.tcp;

import io.railflux.fabric.Availability;
import io.railflux.fabric.Fabric;
import io.railflux.fabric.FabricContext;
import io.railflux.fabric.FabricProvider;
import java.util.Objects;

/**
 * TCP between hosts; there on every machine.
 *
 * <p>Locations are {@code host:port}: the host a name, an IPv4 address or an IPv6 address in brackets;
 * to listen, also {@code *} for every interface, and port 0 for one that is free.
 */
public final class TcpFabricProvider implements FabricProvider {

  static final String NAME = "tcp";

  private final Tls tls;

  /** Connections in the clear: beyond this host the engine seals what they carry. */
  public TcpFabricProvider() {
    this(null);
  }

  private TcpFabricProvider(Tls tls) {
    this.tls = tls;
  }

  /** Every connection by TLS. */
  public TcpFabricProvider tls(Tls how) {
    return new TcpFabricProvider(Objects.requireNonNull(how, "tls"));
  }

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
    return new TcpFabric(new TcpCore(context, tls == null ? null : TlsContexts.of(tls)));
  }
}
