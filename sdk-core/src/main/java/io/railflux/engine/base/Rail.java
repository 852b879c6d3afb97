package io.railflux.engine.base;

import io.railflux.fabric.Capabilities;
import io.railflux.fabric.Capabilities.Feature;
import io.railflux.fabric.Fabric;
import java.util.List;
import java.util.stream.Stream;

/**
 * One local attachment of a node.
 *
 * @param index position among the node's rails
 */
public record Rail(int index, Fabric fabric) {

  /**
   * An address of a peer: a location that is reached over one rail.
   *
   * @param rail the rail that connects
   * @param location the location as the rail's fabric writes it
   */
  public record Target(Rail rail, String location) {

    @Override
    public String toString() {
      return rail.fabricName() + ":" + location;
    }
  }

  public Capabilities capabilities() {
    return fabric.capabilities();
  }

  public String fabricName() {
    return fabric.name();
  }

  /** Features that the engine would use and this fabric lacks. The engine works without them. */
  public List<Feature> lacking() {
    return Stream.of(Feature.MAPPED, Feature.ORDERED_PLACEMENT, Feature.PEER_DEATH_REPORTED)
        .filter(feature -> !fabric.capabilities().has(feature))
        .toList();
  }

  @Override
  public String toString() {
    return fabric.name() + "#" + index;
  }
}
