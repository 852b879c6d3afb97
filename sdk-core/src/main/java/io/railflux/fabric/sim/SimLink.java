package io.railflux.fabric.sim;

/**
 * One rail between two hosts, as healthy as the test wants it. Every change holds for what is sent
 * from now on; what is in flight when a link breaks is lost or not, as the seed decides.
 */
public final class SimLink {

  private final SimNetwork network;
  private final SimHost first;
  private final SimHost second;
  private final int rail;
  private final Lane forth = new Lane();
  private final Lane back = new Lane();
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

  public SimLink model(LinkModel newModel) {
    model = newModel;
    return this;
  }

  public LinkModel model() {
    return model;
  }

  /** Loss of the carrier: new connections fail at once, requests in flight time out. */
  public SimLink down() {
    downSince = Math.min(downSince, network.now());
    return this;
  }

  /** Both directions swallow everything in silence. */
  public SimLink blackHole() {
    forth.blackHole(true, network.now());
    back.blackHole(true, network.now());
    return this;
  }

  /** Swallows what {@code sender} sends; what is sent to it arrives. */
  public SimLink blackHoleFrom(SimHost sender) {
    lane(sender).blackHole(true, network.now());
    return this;
  }

  /** Works, but at this rate. */
  public SimLink crawl(long bytesPerSecond) {
    crawlBytesPerSecond = bytesPerSecond;
    return this;
  }

  /** From now on connections take turns among so many links, as where a network has several (ECMP). */
  public SimLink spread(int links) {
    forth.spread(links);
    back.spread(links);
    return this;
  }

  /** Ends {@link #down}, {@link #blackHole} and {@link #crawl}. */
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

  /** Whether something that left {@code sender} at {@code departedAt} and is due now is lost. */
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

  private Lane lane(SimHost sender) {
    if (sender != first && sender != second) {
      throw new IllegalArgumentException(
          sender.name() + " is not on the link of " + first.name() + " and " + second.name());
    }
    return sender == first ? forth : back;
  }
}
