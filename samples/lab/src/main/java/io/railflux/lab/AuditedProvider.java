package io.railflux.lab;

import io.railflux.fabric.Availability;
import io.railflux.fabric.Fabric;
import io.railflux.fabric.FabricContext;
import io.railflux.fabric.FabricProvider;

/** A simulated rail whose endpoints and registrations are counted, so that leaks are found. */
record AuditedProvider(FabricProvider sound, Audit audit, Echoes echoes) implements FabricProvider {

  @Override
  public String name() {
    return sound.name();
  }

  @Override
  public Availability availability() {
    return sound.availability();
  }

  @Override
  public Fabric open(FabricContext context) {
    return new AuditedFabric(sound.open(context), audit, echoes);
  }
}
