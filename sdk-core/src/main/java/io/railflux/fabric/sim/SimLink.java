package io.railflux.fabric.sim;

/**
 * One rail between two hosts. Changes apply to later traffic; the seed decides whether traffic in flight on a broken
 * link is lost.
 */
public final class SimLink {

  private final SimNetwork network;
  private final SimHost first;
  private final SimHost second;
  private final int rail;
  private final SimLane forth = new SimLane();
  private final SimLane back = new SimLane();
  private LinkModel model;
  private long crawlBytesPerSecond;
  private long downSince = Long.MAX_VALUE;

  SimLink(SimNetwork network, SimHost first, SimHost second, int rail) {
    this.network = network;
    this.first = first;
    this.second = second;
    this.rail = rail;
    this.model = network.config().link();
  }

  /**
   * Sets the behaviour of the healthy link.
   *
   * @param newModel the model
   * @return this
   */
  public SimLink model(LinkModel newModel) {
    model = newModel;
    return this;
  }

  /**
   * Returns the behaviour of the healthy link.
   *
   * @return the model
   */
  public LinkModel model() {
    return model;
  }

  /**
   * Removes the carrier: connects fail at once, requests in flight time out.
   *
   * @return this
   */
  public SimLink down() {
    downSince = Math.min(downSince, network.now());
    return this;
  }

  /**
   * Ends every connection; the fabrics at both ends report the error. New connections are possible.
   *
   * @return this
   */
  public SimLink reset() {
    network.count("link reset");
    first.reset(this);
    second.reset(this);
    return this;
  }

  /**
   * Drops all traffic of both directions silently.
   *
   * @return this
   */
  public SimLink blackHole() {
    forth.blackHole(true, network.now());
    back.blackHole(true, network.now());
    return this;
  }

  /**
   * Drops all traffic of one direction silently.
   *
   * @param sender host whose traffic is dropped
   * @return this
   */
  public SimLink blackHoleFrom(SimHost sender) {
    lane(sender).blackHole(true, network.now());
    return this;
  }

  /**
   * Limits the rate.
   *
   * @param bytesPerSecond rate in bytes per second
   * @return this
   */
  public SimLink crawl(long bytesPerSecond) {
    crawlBytesPerSecond = bytesPerSecond;
    return this;
  }

  /**
   * Distributes later connections over several links in turn, as ECMP does.
   *
   * @param links number of links
   * @return this
   */
  public SimLink spread(int links) {
    forth.spread(links);
    back.spread(links);
    return this;
  }

  /**
   * Ends {@link #down}, {@link #blackHole} and {@link #crawl}.
   *
   * @return this
   */
  public SimLink heal() {
    downSince = Long.MAX_VALUE;
    if (crawlBytesPerSecond != 0) {
      crawlBytesPerSecond = 0;
      forth.speedUp(network.now());
      back.speedUp(network.now());
    }
    forth.blackHole(false, network.now());
    back.blackHole(false, network.now());
    return this;
  }

  /**
   * Returns whether the link has no carrier.
   *
   * @return true after {@link #down} or {@link SimHost#railUp}
   */
  public boolean isDown() {
    return carrierLostAt() != Long.MAX_VALUE;
  }

  long depart(SimHost sender, long connection, long bytes) {
    long rate = crawlBytesPerSecond == 0 ? model.bytesPerSecond() : crawlBytesPerSecond;
    return lane(sender).depart(connection, network.now(), bytes, rate);
  }

  long latency() {
    return network.random().between(model.latencyMinNanos(), model.latencyMaxNanos());
  }

  /** Whether a message that left {@code sender} at {@code departedAt} and is due now is lost. */
  boolean loses(SimHost sender, long departedAt) {
    long since = Math.min(carrierLostAt(), lane(sender).holeSince());
    if (since == Long.MAX_VALUE) {
      return false;
    }
    boolean lost = since <= departedAt || network.random().chance(0.5);
    if (lost) {
      network.count("lost");
    }
    return lost;
  }

  private long carrierLostAt() {
    return Math.min(downSince, Math.min(first.railDownSince(rail), second.railDownSince(rail)));
  }

  private SimLane lane(SimHost sender) {
    if (sender != first && sender != second) {
      throw new IllegalArgumentException(
          sender.name() + " is not on the link of " + first.name() + " and " + second.name());
    }
    return sender == first ? forth : back;
  }
}
