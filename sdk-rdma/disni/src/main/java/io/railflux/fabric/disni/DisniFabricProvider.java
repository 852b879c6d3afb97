package io.railflux.fabric.disni;

import com.ibm.disni.verbs.RdmaCm;
import io.railflux.exceptions.FabricUnavailableException;
import io.railflux.fabric.Availability;
import io.railflux.fabric.Fabric;
import io.railflux.fabric.FabricContext;
import io.railflux.fabric.FabricProvider;
import java.io.IOException;
import java.util.function.Supplier;

/**
 * RDMA cards through the DiSNI library. Locations are {@code 10.0.0.1:7471}: the IPv4 address of an RDMA interface
 * and a port. Needs the native library of DiSNI on {@code java.library.path} and {@code --add-exports
 * java.base/sun.nio.ch=ALL-UNNAMED}.
 */
public final class DisniFabricProvider implements FabricProvider {

  /** Scheme of the addresses. */
  public static final String NAME = "disni";

  private final Supplier<Availability> availability;

  /** Creates a provider of the RDMA devices of this host. */
  public DisniFabricProvider() {
    this(() -> DisniAvailability.ofThisHost().check());
  }

  DisniFabricProvider(Supplier<Availability> availability) {
    this.availability = availability;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Availability availability() {
    return availability.get();
  }

  @Override
  public Fabric open(FabricContext context) {
    Availability found = availability();
    if (!found.available()) {
      throw new FabricUnavailableException(NAME, found.reason(), found.remedy());
    }
    try {
      return new DisniFabric(RdmaCm.open(), context);
    } catch (IOException e) {
      throw new FabricUnavailableException(
          NAME, e.getMessage(), "see the output of doctor for " + NAME, e);
    }
  }
}
