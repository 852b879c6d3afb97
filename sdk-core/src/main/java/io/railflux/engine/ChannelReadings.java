package io.railflux.engine;

import io.railflux.metrics.PeerReadings;

/** What observers read of one virtual channel. Any thread. */
final class ChannelReadings implements PeerReadings {

  private final VirtualChannel channel;
  private final ChannelCounters counters;

  ChannelReadings(VirtualChannel channel) {
    this.channel = channel;
    this.counters = channel.counters();
  }

  @Override
  public String peerName() {
    return channel.peerName();
  }

  @Override
  public String fabricName() {
    return channel.paths().fabricName();
  }

  @Override
  public long messagesSent() {
    return counters.messagesSent();
  }

  @Override
  public long messagesReceived() {
    return counters.messagesReceived();
  }

  @Override
  public long bytesSent() {
    return counters.bytesSent();
  }

  @Override
  public long bytesReceived() {
    return counters.bytesReceived();
  }

  @Override
  public long messagesExpired() {
    return counters.messagesExpired();
  }

  @Override
  public long ringOccupancyBytes() {
    return channel.ringOccupancyBytes();
  }

  @Override
  public long ringCapacityBytes() {
    return channel.ringCapacityBytes();
  }

  @Override
  public long creditStalls() {
    return channel.sendPath().stalls;
  }

  @Override
  public long framesAcknowledged() {
    return counters.framesAcknowledged();
  }

  @Override
  public long unacknowledgedFrames() {
    return channel.unacknowledgedFrames();
  }

  @Override
  public long framesReplayed() {
    return counters.framesReplayed();
  }

  @Override
  public long duplicatesDropped() {
    return counters.duplicatesDropped();
  }

  @Override
  public long endpointsLost() {
    return counters.endpointsLost();
  }

  /** Rings and words granted to the peer, the log and what requests are sent from. */
  @Override
  public long registeredBytes() {
    SendLog log = channel.log();
    return channel.paths().registeredBytes() + (log == null ? 0 : log.allocatedBytes());
  }
}
