package io.railflux.fabric.faults;

import io.railflux.fabric.Availability;
import io.railflux.fabric.Fabric;
import io.railflux.fabric.FabricContext;
import io.railflux.fabric.FabricProvider;

/** Opens the fabric of another provider as a {@link FaultyFabric}. */
public final class FaultyFabricProvider implements FabricProvider {

  private final FabricProvider sound;
  private final FaultConfig config;

  /**
   * Creates the decorator.
   *
   * @param sound provider of the decorated fabric
   * @param config rates of faults
   */
  public FaultyFabricProvider(FabricProvider sound, FaultConfig config) {
    this.sound = sound;
    this.config = config;
  }

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
    return new FaultyFabric(sound.open(context), context, config);
  }
}
