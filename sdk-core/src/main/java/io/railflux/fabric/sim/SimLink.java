package io.railflux.fabric.sim;

/**
 * One rail between two hosts. Changes apply to later traffic; the seed decides whether traffic in flight on a broken
 * link is lost.
 */
public final class SimLink {

  private final SimWorld world;
  private final SimHost first;
  private final SimHost second;
  private final int rail;
  private final SimLane forth = new SimLane();
  private final SimLane back = new SimLane();
  private LinkModel model;
  private long crawlBytesPerSecond;
  private long downSince = Long.MAX_VALUE;

  SimLink(SimWorld world, SimHost first, SimHost second, int rail) {
    this.world = world;
    this.first = first;
    this.second = second;
    this.rail = rail;
    this.model = world.config().link();
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
    downSince = Math.min(downSince, world.now());
    return this;
  }

  /**
   * Ends every connection; the fabrics at both ends report the error. New connections are possible.
   *
   * @return this
   */
  public SimLink reset() {
    world.count("link reset");
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
    forth.blackHole(true, world.now());
    back.blackHole(true, world.now());
    return this;
  }

  /**
   * Drops all traffic of one direction silently.
   *
   * @param sender host whose traffic is dropped
   * @return this
   */
  public SimLink blackHoleFrom(SimHost sender) {
    lane(sender).blackHole(true, world.now());
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
      forth.speedUp(world.now());
      back.speedUp(world.now());
    }
    forth.blackHole(false, world.now());
    back.blackHole(false, world.now());
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
    return lane(sender).depart(connection, world.now(), bytes, rate);
  }

  long latency() {
    return world.random().between(model.latencyMinNanos(), model.latencyMaxNanos());
  }

  /** Returns the direction of the messages of {@code sender}. */
  SimDirection from(SimHost sender) {
    return new SimDirection() {
      @Override
      public long depart(long connection, long bytes) {
        return SimLink.this.depart(sender, connection, bytes);
      }

      @Override
      public long latency() {
        return SimLink.this.latency();
      }

      @Override
      public boolean loses(long departedAt) {
        return SimLink.this.loses(sender, departedAt);
      }
    };
  }

  /** Whether a message that left {@code sender} at {@code departedAt} and is due now is lost. */
  boolean loses(SimHost sender, long departedAt) {
    long since = Math.min(carrierLostAt(), lane(sender).holeSince());
    if (since == Long.MAX_VALUE) {
      return false;
    }
    boolean lost = since <= departedAt || world.random().chance(0.5);
    if (lost) {
      world.count("lost");
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
