package io.railflux.fabric.tcp;

import io.railflux.exceptions.FabricUnavailableException;
import io.railflux.fabric.Availability;
import io.railflux.fabric.Fabric;
import io.railflux.fabric.FabricContext;
import io.railflux.fabric.FabricProvider;
import io.railflux.fabric.base.NettyFitness;
import java.util.Objects;

/**
 * TCP between hosts by Netty 4.2.1 or later, on every operating system.
 *
 * <p>Locations are {@code host:port}. The host is a name, an IPv4 address or an IPv6 address in brackets. Listeners
 * also accept {@code *} for every interface, and port 0 for any free port.
 */
public final class TcpFabricProvider implements FabricProvider {

  static final String NAME = "tcp";

  private final Tls tls;

  /** Creates a provider without TLS. Beyond this host the engine seals frames if the node has a secret. */
  public TcpFabricProvider() {
    this(null);
  }

  private TcpFabricProvider(Tls tls) {
    this.tls = tls;
  }

  /**
   * Uses TLS for every connection.
   *
   * @param how certificates of the node and trust in others
   * @return a modified copy
   */
  public TcpFabricProvider tls(Tls how) {
    return new TcpFabricProvider(Objects.requireNonNull(how, "tls"));
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Availability availability() {
    return NettyFitness.here();
  }

  @Override
  public Fabric open(FabricContext context) {
    Availability availability = availability();
    if (!availability.available()) {
      throw new FabricUnavailableException(NAME, availability.reason(), availability.remedy());
    }
    return new TcpFabric(new TcpCore(context, tls == null ? null : TlsContexts.of(tls)));
  }
}
