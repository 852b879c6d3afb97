package io.railflux.fabric.sim;

import io.railflux.fabric.sim.events.EventKind;
import io.railflux.fabric.sim.events.EventQueue;
import io.railflux.fabric.sim.events.SimRandom;
import io.railflux.fabric.sim.events.Trace;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/** Time, chance and faults of one run: the state of a network besides its hosts and links. */
final class SimWorld {

  private final SimConfig config;
  private final Trace trace = new Trace();
  private final EventQueue events = new EventQueue(trace);
  private final TreeMap<String, Long> faultCounts = new TreeMap<>();
  private final SimRandom random;
  private SimFaults faults;
  private long lastId;
  private long lastArrivalAt;

  SimWorld(long seed, SimConfig config) {
    this.config = config;
    this.faults = config.faults();
    this.random = new SimRandom(seed);
  }

  SimConfig config() {
    return config;
  }

  EventQueue events() {
    return events;
  }

  long now() {
    return events.now();
  }

  SimRandom random() {
    return random;
  }

  SimFaults faults() {
    return faults;
  }

  void faults(SimFaults newFaults) {
    faults = newFaults;
  }

  /** Counts an injected fault. */
  void count(String kind) {
    faultCounts.merge(kind, 1L, Long::sum);
  }

  Map<String, Long> faultCounts() {
    return Collections.unmodifiableMap(new TreeMap<>(faultCounts));
  }

  void record(EventKind kind, long subject, long detail) {
    trace.record(now(), kind, subject, detail);
  }

  long traceHash() {
    return trace.hash();
  }

  void traceListener(Consumer<String> listener) {
    trace.listener(listener);
  }

  /** Returns a number for a new endpoint. */
  long nextId() {
    return ++lastId;
  }

  void arrivesAt(long time) {
    lastArrivalAt = Math.max(lastArrivalAt, time);
  }

  /** Returns the arrival time of the last message sent so far. */
  long lastArrivalAt() {
    return lastArrivalAt;
  }
}
