package io.railflux.fabric.faults;

import io.railflux.fabric.Capabilities;
import io.railflux.fabric.Endpoint;
import io.railflux.fabric.Fabric;
import io.railflux.fabric.FabricContext;
import io.railflux.fabric.FabricListener;
import io.railflux.fabric.LocalMemory;
import io.railflux.fabric.Protection;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Map;
import java.util.TreeMap;

/** A fabric with seeded faults. {@link #toString()} names the seed and the injected faults. */
public final class FaultyFabric implements Fabric {

  private record Refusal(FabricListener listener, long attempt) {}

  private final Fabric sound;
  private final FabricContext context;
  private final Dice dice;
  private final Map<Long, FaultyEndpoint> endpoints = new TreeMap<>();
  private final ArrayDeque<Refusal> refusals = new ArrayDeque<>();
  private long polls;
  private int delivered;
  private boolean closed;

  /**
   * Creates the decorator.
   *
   * @param sound the decorated fabric, owned by this one
   * @param context services of the engine
   * @param config rates of faults
   */
  public FaultyFabric(Fabric sound, FabricContext context, FaultConfig config) {
    this.sound = sound;
    this.context = context;
    this.dice = new Dice(config);
  }

  /**
   * Returns the number of injected faults.
   *
   * @return counts by kind
   */
  public Map<String, Long> faultCounts() {
    return dice.counts();
  }

  @Override
  public String name() {
    return sound.name();
  }

  @Override
  public Capabilities capabilities() {
    return sound.capabilities();
  }

  @Override
  public LocalMemory register(ByteBuffer memory) {
    return sound.register(memory);
  }

  @Override
  public Listening listen(String location, FabricListener listener) throws IOException {
    return sound.listen(location, new FaultyListener(this, listener));
  }

  @Override
  public Protection protectionAt(String location) {
    return sound.protectionAt(location);
  }

  @Override
  public void connect(String location, long attempt, FabricListener listener) {
    if (dice.connectFailure()) {
      refusals.add(new Refusal(listener, attempt));
    } else {
      sound.connect(location, attempt, new FaultyListener(this, listener));
    }
  }

  @Override
  public int poll(int limit) {
    polls++;
    delivered = 0;
    refuse(limit);
    for (FaultyEndpoint endpoint : new ArrayList<>(endpoints.values())) {
      endpoint.release(limit - delivered);
    }
    if (!closed && delivered < limit) {
      sound.poll(limit - delivered);
    }
    return delivered;
  }

  private void refuse(int limit) {
    while (delivered < limit && !closed && !refusals.isEmpty()) {
      Refusal refusal = refusals.poll();
      delivered++;
      refusal.listener().onConnectFailed(refusal.attempt(), "injected, " + dice);
    }
  }

  /** Delayed completions appear only by polling, so the engine must not sleep while there are any. */
  @Override
  public void arm() {
    sound.arm();
    boolean holding = endpoints.values().stream().anyMatch(FaultyEndpoint::isHolding);
    if (holding || !refusals.isEmpty()) {
      context.wakeUp();
    }
  }

  @Override
  public void disarm() {
    sound.disarm();
  }

  @Override
  public void close() {
    closed = true;
    refusals.clear();
    new ArrayList<>(endpoints.values()).forEach(FaultyEndpoint::close);
    sound.close();
  }

  @Override
  public String toString() {
    return "FaultyFabric(" + dice + ") over " + sound;
  }

  FaultyEndpoint wrap(Endpoint endpoint, FabricListener listener) {
    FaultyEndpoint wrapped = new FaultyEndpoint(this, endpoint, listener, dice);
    endpoints.put(endpoint.id(), wrapped);
    return wrapped;
  }

  FaultyEndpoint known(Endpoint endpoint) {
    return endpoints.get(endpoint.id());
  }

  void forget(Endpoint endpoint) {
    endpoints.remove(endpoint.id());
  }

  void countDelivery() {
    delivered++;
  }

  long polls() {
    return polls;
  }
}
