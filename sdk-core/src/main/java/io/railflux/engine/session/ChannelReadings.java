package io.railflux.engine.session;

import io.railflux.engine.base.ChannelCounters;
import io.railflux.engine.ring.SendLog;
import io.railflux.metrics.PeerReadings;

/** Readings of one virtual channel for observers. Any thread. */
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

  /** Returns the size of the rings and words granted to the peer, the log and the send memory of requests. */
  @Override
  public long registeredBytes() {
    SendLog log = channel.log();
    return channel.paths().registeredBytes() + (log == null ? 0 : log.allocatedBytes());
  }
}
