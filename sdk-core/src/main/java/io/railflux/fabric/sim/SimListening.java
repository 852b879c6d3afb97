package io.railflux.fabric.sim;

import io.railflux.fabric.Fabric;
import io.railflux.fabric.FabricListener;

/** A named service of one fabric. */
final class SimListening implements Fabric.Listening {

  private final SimFabric fabric;
  private final String service;
  private final FabricListener listener;

  SimListening(SimFabric fabric, String service, FabricListener listener) {
    this.fabric = fabric;
    this.service = service;
    this.listener = listener;
  }

  SimFabric fabric() {
    return fabric;
  }

  FabricListener listener() {
    return listener;
  }

  @Override
  public String location() {
    return fabric.host().name() + "/" + service;
  }

  @Override
  public void close() {
    fabric.host().removeListening(fabric.rail(), service, this);
  }
}
