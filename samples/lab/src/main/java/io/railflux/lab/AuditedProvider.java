package io.railflux.lab;

import io.railflux.fabric.Availability;
import io.railflux.fabric.Fabric;
import io.railflux.fabric.FabricContext;
import io.railflux.fabric.FabricProvider;

/** A simulated rail. It counts endpoints and registrations to detect leaks. */
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
