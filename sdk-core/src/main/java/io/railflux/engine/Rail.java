package io.railflux.engine;

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

  /** Abilities the engine would use and this fabric does not declare: it does without them. */
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
