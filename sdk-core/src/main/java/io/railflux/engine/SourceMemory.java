package io.railflux.engine;

import io.railflux.buffer.PooledBuffer;
import io.railflux.fabric.LocalMemory;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Where a large message lies until nothing reads it any more (D2): memory of this node, a place of a {@link
 * SourceWindow}, or lent by its user. Registered with a rail when that first needs it. Engine thread only.
 */
final class SourceMemory {

  private final ByteBuffer whole;
  private final ByteBuffer view;
  private final int offset;
  private final int lengthBytes;
  private final PooledBuffer pooled;
  private final SourceWindow.Place place;
  private final List<Rail> registered = new ArrayList<>(1);
  private ByteBuffer registrable;

  private SourceMemory(
      ByteBuffer whole,
      int offset,
      int lengthBytes,
      PooledBuffer pooled,
      SourceWindow.Place place) {
    this.whole = whole;
    this.view = whole.duplicate().clear();
    this.offset = offset;
    this.lengthBytes = lengthBytes;
    this.pooled = pooled;
    this.place = place;
  }

  /** A message of {@code lengthBytes} at the beginning of memory of this node. */
  static SourceMemory ofNode(PooledBuffer pooled, int lengthBytes) {
    return new SourceMemory(pooled.memory(), 0, lengthBytes, pooled, null);
  }

  /** A message of {@code lengthBytes} where the peer can look at it. */
  static SourceMemory ofWindow(SourceWindow.Place place, int lengthBytes) {
    return new SourceMemory(place.memory(), place.offset(), lengthBytes, null, place);
  }

  /** What lies between position and limit of a user's buffer, wherever the user moves them later. */
  static SourceMemory ofUser(ByteBuffer memory) {
    return new SourceMemory(memory, memory.position(), memory.remaining(), null, null);
  }

  int lengthBytes() {
    return lengthBytes;
  }

  /** Where the peer looks at it; null when it cannot. */
  SourceWindow.Place place() {
    return place;
  }

  /** Nothing but the message, for the peer to read. */
  ByteBuffer exposable() {
    return view.slice(offset, lengthBytes);
  }

  /** The memory with limits nobody else moves; the message begins at {@link #offset}. */
  ByteBuffer view() {
    return view;
  }

  int offset() {
    return offset;
  }

  /** Where the message begins in {@link #local}. */
  int localOffset() {
    return place == null ? offset : 0;
  }

  /** As registered with one rail. */
  LocalMemory local(Engine engine, Rail rail) {
    registrable = registrable == null ? registrable() : registrable;
    LocalMemory local = engine.registrations(rail).acquire(registrable);
    if (registered.contains(rail)) {
      engine.registrations(rail).release(registrable);
    } else {
      registered.add(rail);
    }
    return local;
  }

  /**
   * A window ends with its subchannel, also while another rail still sends from there: what lies in it was looked at
   * until shared memory was lost, and is a part of one window at most.
   */
  private ByteBuffer registrable() {
    if (place == null) {
      return whole;
    }
    return ByteBuffer.allocateDirect(lengthBytes).put(0, view, offset, lengthBytes);
  }

  void release(Engine engine) {
    registered.forEach(rail -> engine.registrations(rail).release(registrable));
    registered.clear();
    if (pooled != null) {
      pooled.release();
    }
    if (place != null) {
      place.give();
    }
  }
}
