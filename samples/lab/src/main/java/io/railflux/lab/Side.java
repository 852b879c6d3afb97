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

  /** Returns whether the engine of this side still runs. */
  boolean isAlive() {
    return node.isOpen() && node.generation() == generation;
  }

  void ended(StreamFailure cause) {
    ended = true;
    failure = cause;
  }

  /** Records that this side received the report of the death of the other process. */
  void foundDead() {
    foundDead = true;
  }

  boolean hasFoundDead() {
    return foundDead;
  }

  boolean isEnded() {
    return ended;
  }

  /** Returns the cause of the end, or null for a clean close. */
  StreamFailure failure() {
    return failure;
  }

  /** Returns the size of the ring that this side chose for each rail of the other side. */
  int chosenRingBytes() {
    return node.limits().ringBytes(channel.channelKind());
  }

  /**
   * Returns whether everything sent was consumed and acknowledged, every credit was returned and no memory is held.
   */
  boolean isQuiet() {
    return channel.largeMessages() == 0
        && channel.readings().unacknowledgedFrames() == 0
        && channel.readings().ringOccupancyBytes() == 0
        && channel.heldBytes() == 0;
  }
}
