package io.railflux.metrics;

/** What the meters of a peer read, from any thread; values may be a moment old. */
public interface PeerReadings {

  String peerName();

  String fabricName();

  long messagesSent();

  long messagesReceived();

  long bytesSent();

  long bytesReceived();

  long messagesExpired();

  long ringOccupancyBytes();

  long ringCapacityBytes();

  long creditStalls();

  long framesAcknowledged();

  long unacknowledgedFrames();

  long framesReplayed();

  long duplicatesDropped();

  long endpointsLost();

  long registeredBytes();
}
