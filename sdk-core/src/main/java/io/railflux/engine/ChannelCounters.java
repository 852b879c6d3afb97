package io.railflux.engine;

/**
 * What a virtual channel counted since it began. Written on the engine thread with plain stores and
 * read by metrics from other threads, where a slightly old value is as good.
 */
public final class ChannelCounters {

  private final Engine engine;
  private long messagesSent;
  private long bytesSent;
  private long messagesReceived;
  private long bytesReceived;
  private long messagesExpired;
  private long framesReplayed;
  private long duplicatesDropped;
  private long framesAcknowledged;
  private long endpointsLost;

  ChannelCounters(Engine engine) {
    this.engine = engine;
  }

  void sent(long messages, long bytes) {
    engine.countSent(messages);
    messagesSent += messages;
    bytesSent += bytes;
  }

  void received(long messages, long bytes) {
    engine.countArrived(messages);
    messagesReceived += messages;
    bytesReceived += bytes;
  }

  void expired() {
    messagesExpired++;
  }

  void replayed() {
    framesReplayed++;
  }

  void duplicate() {
    duplicatesDropped++;
  }

  void acknowledged(int frames) {
    framesAcknowledged += frames;
  }

  void endpointLost() {
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

  /** Messages dropped because their time to live ran out while earlier ones were missing. */
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
