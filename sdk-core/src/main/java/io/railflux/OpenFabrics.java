package io.railflux;

import io.railflux.engine.Engine;
import io.railflux.engine.base.Rail;
import io.railflux.exceptions.FabricUnavailableException;
import io.railflux.fabric.Availability;
import io.railflux.fabric.FabricProvider;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The fabrics that a node has opened, as rails of its engine, and the reasons why it has not opened others. */
final class OpenFabrics {

  private static final Logger LOG = LoggerFactory.getLogger(OpenFabrics.class);

  private final String nodeName;
  private final Engine engine;
  private final Map<String, Availability> unavailable = new LinkedHashMap<>();

  private OpenFabrics(String nodeName, Engine engine) {
    this.nodeName = nodeName;
    this.engine = engine;
  }

  /**
   * Opens the available fabrics of the configuration, before the engine starts.
   *
   * @throws FabricUnavailableException if none is available
   */
  static OpenFabrics open(NodeConfig config, Engine engine) {
    OpenFabrics fabrics = new OpenFabrics(config.name(), engine);
    fabrics.openAll(config.fabrics());
    return fabrics;
  }

  private void openAll(List<FabricProvider> providers) {
    for (FabricProvider provider : providers) {
      Availability availability = provider.availability();
      if (availability.available()) {
        logLacking(engine.addRail(provider));
      } else {
        unavailable.put(provider.name(), availability);
      }
    }
    if (engine.rails().isEmpty()) {
      throw noFabric();
    }
    unavailable.forEach((fabric, why) -> LOG.info(
        "node '{}' runs without {}: {}; {}", nodeName, fabric, why.reason(), why.remedy()));
  }

  private FabricUnavailableException noFabric() {
    List<String> reasons = new ArrayList<>();
    List<String> remedies = new ArrayList<>();
    unavailable.forEach((fabric, why) -> {
      reasons.add(fabric + ": " + why.reason());
      remedies.add(why.remedy());
    });
    return new FabricUnavailableException(
        String.join(", ", unavailable.keySet()),
        String.join("; ", reasons),
        String.join("; ", remedies));
  }

  private void logLacking(Rail rail) {
    if (!rail.lacking().isEmpty()) {
      LOG.debug(
          "node '{}': fabric {} does not offer {}; the engine uses a substitute",
          nodeName,
          rail.fabric().name(),
          rail.lacking());
    }
  }

  /** Returns the rail of the named fabric, or null. */
  @Nullable
  Rail rail(String fabric) {
    for (Rail rail : engine.rails()) {
      if (rail.fabric().name().equals(fabric)) {
        return rail;
      }
    }
    return null;
  }

  /** @throws FabricUnavailableException if the node has not opened the named fabric */
  Rail requireRail(String fabric) {
    Rail rail = rail(fabric);
    if (rail != null) {
      return rail;
    }
    Availability why = unavailable.get(fabric);
    if (why != null) {
      throw new FabricUnavailableException(fabric, why.reason(), why.remedy());
    }
    throw new FabricUnavailableException(
        fabric,
        "node '" + nodeName + "' has not opened it; it has "
            + engine.rails().stream().map(r -> r.fabric().name()).toList(),
        "add it with Railflux.fabrics(...), or write host:port with a port of 0 to 65535 if '"
            + fabric + "' is a host");
  }
}
