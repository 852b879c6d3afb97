package io.railflux.engine.base;

/**
 * Counters of a virtual channel since its start. The engine thread writes them with plain stores. Metrics read them
 * from other threads and accept slightly old values.
 */
public final class ChannelCounters {

  private final EngineContext engine;
  private long messagesSent;
  private long bytesSent;
  private long messagesReceived;
  private long bytesReceived;
  private int largestReceivedBytes;
  private long messagesExpired;
  private long framesReplayed;
  private long duplicatesDropped;
  private long framesAcknowledged;
  private long endpointsLost;

  public ChannelCounters(EngineContext engine) {
    this.engine = engine;
  }

  public void sent(long messages, long bytes) {
    engine.countSent(messages);
    messagesSent += messages;
    bytesSent += bytes;
  }

  /**
   * Counts arrived messages.
   *
   * @param largestBytes size of the largest of them
   */
  public void received(long messages, long bytes, int largestBytes) {
    engine.countArrived(messages);
    if (largestBytes > largestReceivedBytes) {
      largestReceivedBytes = largestBytes;
    }
    messagesReceived += messages;
    bytesReceived += bytes;
  }

  /** Returns the size of the largest message that arrived since the last call. Engine thread only. */
  public int takeLargestReceivedBytes() {
    int largest = largestReceivedBytes;
    largestReceivedBytes = 0;
    return largest;
  }

  public void expired() {
    messagesExpired++;
  }

  public void replayed() {
    framesReplayed++;
  }

  public void duplicate() {
    duplicatesDropped++;
  }

  public void acknowledged(int frames) {
    framesAcknowledged += frames;
  }

  public void endpointLost() {
    endpointsLost++;
  }

  public long messagesSent() {
    return messagesSent;
  }

  public long bytesSent() {
    return bytesSent;
  }

  public long messagesReceived() {
    return messagesReceived;
  }

  public long bytesReceived() {
    return bytesReceived;
  }

  /** Messages dropped because their time to live ended while earlier messages were missing. */
  public long messagesExpired() {
    return messagesExpired;
  }

  public long framesReplayed() {
    return framesReplayed;
  }

  public long duplicatesDropped() {
    return duplicatesDropped;
  }

  public long framesAcknowledged() {
    return framesAcknowledged;
  }

  public long endpointsLost() {
    return endpointsLost;
  }
}
