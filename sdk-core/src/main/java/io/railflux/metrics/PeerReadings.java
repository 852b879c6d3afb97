package io.railflux.metrics;

/**
 * Values of the meters of a peer. Any thread may read them; they may lag behind. Counts begin with the session and
 * never decrease.
 */
public interface PeerReadings {

  /**
   * Returns the name of the peer.
   *
   * @return value of the tag {@code peer}
   */
  String peerName();

  /**
   * Returns the fabrics of the connection.
   *
   * @return value of the tag {@code fabric}
   */
  String fabricName();

  /**
   * Returns the number of messages and requests sent.
   *
   * @return count
   */
  long messagesSent();

  /**
   * Returns the number of messages and requests received.
   *
   * @return count
   */
  long messagesReceived();

  /**
   * Returns the encoded bytes of the messages sent.
   *
   * @return count in bytes
   */
  long bytesSent();

  /**
   * Returns the encoded bytes of the messages received.
   *
   * @return count in bytes
   */
  long bytesReceived();

  /**
   * Returns the number of messages that expired at this node.
   *
   * @return count
   */
  long messagesExpired();

  /**
   * Returns how often another message channel replaced the channel of one direction.
   *
   * @return count
   */
  long channelSwitches();

  /**
   * Returns the bytes in the rings of the peer that the peer has not consumed.
   *
   * @return present value in bytes
   */
  long ringOccupancyBytes();

  /**
   * Returns the size of the rings that the peer granted.
   *
   * @return present value in bytes
   */
  long ringCapacityBytes();

  /**
   * Returns how often a message waited for room in ring, log or window.
   *
   * @return count
   */
  long creditStalls();

  /**
   * Returns the number of frames that the peer acknowledged.
   *
   * @return count
   */
  long framesAcknowledged();

  /**
   * Returns the number of frames sent and not acknowledged.
   *
   * @return present value
   */
  long unacknowledgedFrames();

  /**
   * Returns the number of frames sent again after the loss of an endpoint.
   *
   * @return count
   */
  long framesReplayed();

  /**
   * Returns the number of duplicate frames received.
   *
   * @return count
   */
  long duplicatesDropped();

  /**
   * Returns the number of lost endpoints.
   *
   * @return count
   */
  long endpointsLost();

  /**
   * Returns the registered memory of the session.
   *
   * @return present value in bytes
   */
  long registeredBytes();
}
