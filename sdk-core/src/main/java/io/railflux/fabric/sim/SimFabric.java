package io.railflux.fabric.sim;

import io.railflux.fabric.Capabilities;
import io.railflux.fabric.Completion;
import io.railflux.fabric.Fabric;
import io.railflux.fabric.FabricContext;
import io.railflux.fabric.FabricListener;
import io.railflux.fabric.LocalMemory;
import io.railflux.fabric.Protection;
import io.railflux.fabric.sim.events.EventKind;
import io.railflux.fabric.sim.memory.SimBuffer;
import io.railflux.fabric.sim.memory.SimMemory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/** One rail of one simulated process. */
public final class SimFabric implements Fabric {

  private final SimHost host;
  private final int rail;
  private final FabricContext context;
  private final ArrayDeque<SimDelivery> ready = new ArrayDeque<>();
  private final List<SimEndpoint> endpoints = new ArrayList<>();
  private final List<SimBuffer> registrations = new ArrayList<>();
  private final List<SimListening> listenings = new ArrayList<>();
  private final Completion completion = new Completion();
  private boolean polling;
  private boolean armed;
  private boolean closed;

  SimFabric(SimHost host, int rail, FabricContext context) {
    this.host = host;
    this.rail = host.checkedRail(rail);
    this.context = context;
  }

  /**
   * Returns the host of the process.
   *
   * @return the host
   */
  public SimHost host() {
    return host;
  }

  /**
   * Returns the rail.
   *
   * @return index of the rail
   */
  public int rail() {
    return rail;
  }

  /**
   * Returns whether an event would wake the engine now.
   *
   * @return true after {@link #arm}
   */
  public boolean armed() {
    return armed;
  }

  /**
   * Returns the number of deliveries that wait for the next poll.
   *
   * @return number of deliveries
   */
  public int ready() {
    return ready.size();
  }

  @Override
  public String name() {
    return host.railName(rail);
  }

  @Override
  public Capabilities capabilities() {
    return world().config().capabilitiesOf(rail);
  }

  @Override
  public LocalMemory register(ByteBuffer memory) {
    requireOpen();
    if (!memory.isDirect()) {
      throw new IllegalArgumentException("only direct buffers can be registered");
    }
    SimMemory registered = new SimMemory(this, memory, registrations::remove);
    registrations.add(registered);
    return registered;
  }

  @Override
  public Listening listen(String location, FabricListener listener) throws IOException {
    requireOpen();
    String own = host.name() + "/";
    String service = location.startsWith(own) ? location.substring(own.length()) : location;
    if (service.isEmpty() || service.indexOf('/') >= 0) {
      throw new IOException("'" + location + "' is no location on host " + host.name());
    }
    SimListening listening = new SimListening(this, service, listener);
    if (!host.addListening(rail, service, listening)) {
      throw new IOException("'" + own + service + "' is taken");
    }
    listenings.add(listening);
    return listening;
  }

  @Override
  public Protection protectionAt(String location) {
    return world().config().protection();
  }

  @Override
  public void connect(String location, long attempt, FabricListener listener) {
    requireOpen();
    new SimDial(this, location, attempt, listener).begin();
  }

  @Override
  public int poll(int limit) {
    if (polling) {
      throw new IllegalStateException("poll called from inside a callback of poll");
    }
    polling = true;
    try {
      int delivered = 0;
      while (delivered < limit && !closed && !ready.isEmpty()) {
        delivered += deliver(ready.poll());
      }
      return delivered;
    } finally {
      polling = false;
    }
  }

  private int deliver(SimDelivery delivery) {
    if (!delivery.wanted()) {
      return 0;
    }
    long subject = delivery.endpoint() == null ? 0 : delivery.endpoint().id();
    world().record(EventKind.DELIVER, subject, delivery.detail());
    delivery.deliver(completion);
    return 1;
  }

  @Override
  public void arm() {
    armed = !closed;
  }

  @Override
  public void disarm() {
    armed = false;
  }

  @Override
  public void close() {
    if (!closed) {
      for (SimEndpoint endpoint : new ArrayList<>(endpoints)) {
        endpoint.close();
      }
      release();
      host.closed(this);
    }
  }

  /** Ends the process without an orderly close. */
  void vanish() {
    for (SimEndpoint endpoint : new ArrayList<>(endpoints)) {
      endpoint.vanish();
    }
    release();
    host.closed(this);
  }

  /** Ends the endpoints whose connections use the link. */
  void reset(SimLink link) {
    for (SimEndpoint endpoint : new ArrayList<>(endpoints)) {
      if (endpoint.uses(link)) {
        endpoint.fail(null, null, "the connection was reset");
      }
    }
  }

  private void release() {
    closed = true;
    armed = false;
    ready.clear();
    registrations.forEach(SimBuffer::markClosed);
    registrations.clear();
    listenings.forEach(SimListening::close);
  }

  boolean isClosed() {
    return closed;
  }

  boolean mapped() {
    return capabilities().mapped();
  }

  SimWorld world() {
    return host.network().world();
  }

  long randomKey() {
    return context.randomLong();
  }

  void add(SimEndpoint endpoint) {
    endpoints.add(endpoint);
  }

  void remove(SimEndpoint endpoint) {
    endpoints.remove(endpoint);
  }

  void enqueue(SimDelivery delivery) {
    if (!closed) {
      ready.add(delivery);
      wakeAfter(0);
    }
  }

  /** Wakes an armed engine. Otherwise the event leaves no trace. */
  void wakeAfter(long delayNanos) {
    if (armed) {
      armed = false;
      world().events().after(delayNanos, EventKind.WAKE, rail, this::wake);
    }
  }

  private void wake() {
    if (!closed) {
      context.wakeUp();
    }
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("fabric " + name() + " of " + host.name() + " is closed");
    }
  }
}
