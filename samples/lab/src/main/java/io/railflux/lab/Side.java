package io.railflux.lab;

import io.railflux.engine.base.StreamFailure;
import io.railflux.engine.session.VirtualChannel;

/** One end of a link. */
final class Side {

  final SimulatedNode node;
  final VirtualChannel channel;
  private final int generation;
  private boolean ended;
  private boolean foundDead;
  private StreamFailure failure;

  Side(SimulatedNode node, VirtualChannel channel) {
    this.node = node;
    this.channel = channel;
    this.generation = node.generation();
  }

  /** The engine still runs; otherwise nobody is left to hear anything. */
  boolean isAlive() {
    return node.isOpen() && node.generation() == generation;
  }

  void ended(StreamFailure cause) {
    ended = true;
    failure = cause;
  }

  /** The other side's process ended, and this one was told. */
  void foundDead() {
    foundDead = true;
  }

  boolean hasFoundDead() {
    return foundDead;
  }

  boolean isEnded() {
    return ended;
  }

  /** Why, null for a clean close. */
  StreamFailure failure() {
    return failure;
  }

  /** Everything sent was consumed and acknowledged, every credit came back, nothing is held. */
  boolean isQuiet() {
    return channel.largeMessages() == 0
        && channel.unacknowledgedFrames() == 0
        && channel.ringOccupancyBytes() == 0
        && channel.heldBytes() == 0;
  }
}
