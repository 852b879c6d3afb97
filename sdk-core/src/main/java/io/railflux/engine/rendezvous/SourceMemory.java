package io.railflux.engine.rendezvous;

import io.railflux.buffer.PooledBuffer;
import io.railflux.engine.base.EngineContext;
import io.railflux.engine.base.Rail;
import io.railflux.engine.base.Registrations;
import io.railflux.engine.path.ExposedWindow;
import io.railflux.fabric.LocalMemory;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Memory of a large message until nothing reads it any more (D2): memory of this node, a place in a
 * {@link ExposedWindow.Source}, or memory lent by the user. Registered with a rail on first use. Engine thread only.
 */
final class SourceMemory {

  private final ByteBuffer whole;
  private final ByteBuffer view;
  private final int offset;
  private final int lengthBytes;
  private final PooledBuffer pooled;
  private final ExposedWindow.Source.Place place;
  private final List<Rail> registered = new ArrayList<>(1);
  private ByteBuffer registrable;

  private SourceMemory(
      ByteBuffer whole,
      int offset,
      int lengthBytes,
      PooledBuffer pooled,
      ExposedWindow.Source.Place place) {
    this.whole = whole;
    this.view = whole.duplicate().clear();
    this.offset = offset;
    this.lengthBytes = lengthBytes;
    this.pooled = pooled;
    this.place = place;
  }

  /** Returns a message of {@code lengthBytes} at the beginning of memory of this node. */
  static SourceMemory ofNode(PooledBuffer pooled, int lengthBytes) {
    return new SourceMemory(pooled.memory(), 0, lengthBytes, pooled, null);
  }

  /** Returns a message of {@code lengthBytes} at a place that the peer can read. */
  static SourceMemory ofWindow(ExposedWindow.Source.Place place, int lengthBytes) {
    return new SourceMemory(place.memory(), place.offset(), lengthBytes, null, place);
  }

  /** Returns the message between position and limit of a user's buffer. The user may move these afterwards. */
  static SourceMemory ofUser(ByteBuffer memory) {
    return new SourceMemory(memory, memory.position(), memory.remaining(), null, null);
  }

  int lengthBytes() {
    return lengthBytes;
  }

  /** Returns the place where the peer reads the message; null if it cannot. */
  ExposedWindow.Source.Place place() {
    return place;
  }

  /** Returns exactly the message, for reads by the peer. */
  ByteBuffer exposable() {
    return view.slice(offset, lengthBytes);
  }

  /** Returns the memory. No other code changes its limits; the message begins at {@link #offset}. */
  ByteBuffer view() {
    return view;
  }

  int offset() {
    return offset;
  }

  /** Returns the offset of the message in {@link #local}. */
  int localOffset() {
    return place == null ? offset : 0;
  }

  /** Returns the memory as registered with one rail. */
  LocalMemory local(EngineContext engine, Rail rail) {
    Registrations registrations = engine.registrations();
    registrable = registrable == null ? registrable() : registrable;
    LocalMemory local = registrations.of(rail).acquire(registrable);
    if (registered.contains(rail)) {
      registrations.of(rail).release(registrable);
    } else {
      registered.add(rail);
    }
    return local;
  }

  /**
   * Returns memory that can be registered. A window ends with its subchannel, even while another rail still sends from
   * it. Such a message was read in place until shared memory was lost, and occupies a part of one window.
   */
  private ByteBuffer registrable() {
    if (place == null) {
      return whole;
    }
    return ByteBuffer.allocateDirect(lengthBytes).put(0, view, offset, lengthBytes);
  }

  void release(EngineContext engine) {
    Registrations registrations = engine.registrations();
    registered.forEach(rail -> registrations.of(rail).release(registrable));
    registered.clear();
    if (pooled != null) {
      pooled.release();
    }
    if (place != null) {
      place.give();
    }
  }
}
