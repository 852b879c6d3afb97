package io.railflux.engine.base;

import io.railflux.buffer.RegistrationCache;
import io.railflux.fabric.Capabilities.Feature;
import io.railflux.fabric.Fabric;
import io.railflux.fabric.LocalMemory;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Buffers registered with the rails of a node. Where registration has a cost, it outlives its use and keeps the
 * buffer reachable, up to a number of bytes per rail. Kept registrations are given up before a large message fails
 * for lack of memory. Engine thread only.
 */
public final class Registrations {

  private static final int MAX_KEPT = 64;
  private static final long MAX_KEPT_BYTES = 64L << 20;

  private final long maxKeptBytes;
  private final List<RegistrationCache<LocalMemory>> byRail = new ArrayList<>();
  private boolean keepsAny;

  /** @param budgetBytes memory for sent messages, the upper bound of the bytes registered with a rail */
  public Registrations(long budgetBytes) {
    this.maxKeptBytes = Math.min(MAX_KEPT_BYTES, budgetBytes);
  }

  /** Adds the next rail. */
  public void add(Fabric fabric) {
    boolean keeps = !fabric.capabilities().has(Feature.REGISTERS_AT_NO_COST);
    keepsAny |= keeps;
    byRail.add(new RegistrationCache<>(
        keeps ? MAX_KEPT : 0, maxKeptBytes, fabric::register, LocalMemory::close));
  }

  public RegistrationCache<LocalMemory> of(Rail rail) {
    return byRail.get(rail.index());
  }

  /** Whether any rail keeps registrations. */
  boolean keepsAny() {
    return keepsAny;
  }

  /** Deregisters unused buffers; returns the number of bytes, summed over the rails. */
  public long clear() {
    long bytes = 0;
    for (RegistrationCache<LocalMemory> cache : byRail) {
      bytes += cache.keptBytes();
      cache.trim(0);
    }
    return bytes;
  }

  /** Forgets memory that its owner gives up. */
  void forget(ByteBuffer memory) {
    byRail.forEach(cache -> cache.forget(memory));
  }

  public void close() {
    byRail.forEach(RegistrationCache::close);
  }
}
