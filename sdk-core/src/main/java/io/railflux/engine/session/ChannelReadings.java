package io.railflux.engine.session;

import io.railflux.engine.base.ChannelCounters;
import io.railflux.engine.path.PathRepository;
import io.railflux.engine.path.SessionContext;
import io.railflux.engine.ring.SendLog;
import io.railflux.engine.send.SendPath;
import io.railflux.engine.send.SendWindow;
import io.railflux.metrics.PeerReadings;

/** Readings of one virtual channel for observers. Any thread. */
final class ChannelReadings implements PeerReadings {

  private final String peerName;
  private final PathRepository paths;
  private final ChannelCounters counters;
  private final MessageChannels messageChannels;
  private final SendPath sendPath;
  private final SendWindow window;
  private final SendLog log;

  /** @param log log of the session; null if the session needs none */
  ChannelReadings(
      SessionContext session, MessageChannels messageChannels, SendPath sendPath, SendLog log) {
    this.peerName = session.peerName();
    this.paths = session.paths();
    this.counters = session.counters();
    this.messageChannels = messageChannels;
    this.sendPath = sendPath;
    this.window = sendPath.window();
    this.log = log;
  }

  @Override
  public String peerName() {
    return peerName;
  }

  @Override
  public String fabricName() {
    return paths.fabricName();
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
  public long channelSwitches() {
    return messageChannels.switches();
  }

  @Override
  public long ringOccupancyBytes() {
    return paths.occupiedBytes();
  }

  @Override
  public long ringCapacityBytes() {
    return paths.capacityBytes();
  }

  @Override
  public long creditStalls() {
    return sendPath.stalls;
  }

  @Override
  public long framesAcknowledged() {
    return counters.framesAcknowledged();
  }

  @Override
  public long unacknowledgedFrames() {
    return window.inFlight();
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
    return paths.registeredBytes() + (log == null ? 0 : log.allocatedBytes());
  }
}
