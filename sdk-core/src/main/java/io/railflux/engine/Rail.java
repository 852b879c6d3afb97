package io.railflux.engine;

import io.railflux.fabric.Fabric;

/**
 * One local attachment of a node.
 *
 * @param index position among the node's rails
 */
public record Rail(int index, Fabric fabric) {

  @Override
  public String toString() {
    return fabric.name() + "#" + index;
  }
}
