package io.railflux.buffer;

import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Registrations of buffers with a network, kept after their use because registering costs more than
 * copying a little: who sends from the same buffers again finds them registered.
 *
 * <p>A buffer is known by its object, not by its address: Java tells no addresses before 22, and two
 * slices of the same memory count as two. What is kept is also kept reachable, so that no memory is freed
 * while a device may still use it; therefore the cache is small, and what was not used for longest leaves
 * first. Engine thread only.
 *
 * @param <R> a registration
 */
public final class RegistrationCache<R> implements AutoCloseable {

  /** By identity: buffers with equal content are different memory. */
  private record Key(ByteBuffer memory) {

    @Override
    @SuppressWarnings("ReferenceEquality")
    public boolean equals(Object other) {
      return other instanceof Key key && key.memory == memory;
    }

    @Override
    public int hashCode() {
      return System.identityHashCode(memory);
    }
  }

  private final class Entry {
    private final R registration;
    private int users;

    Entry(R registration) {
      this.registration = registration;
    }
  }

  private final int maxEntries;
  private final long maxBytes;
  private final Function<ByteBuffer, R> register;
  private final Consumer<R> deregister;
  // The order of its iteration is that of use, whatever the hashes.
  private final Map<Key, Entry> entries = new LinkedHashMap<>(16, 0.75f, true);
  private long bytes;

  /**
   * An empty cache.
   *
   * @param maxEntries buffers kept at most, those in use not counted
   * @param maxBytes their capacities together
   */
  public RegistrationCache(
      int maxEntries, long maxBytes, Function<ByteBuffer, R> register, Consumer<R> deregister) {
    this.maxEntries = maxEntries;
    this.maxBytes = maxBytes;
    this.register = register;
    this.deregister = deregister;
  }

  /** The registration of all of the buffer, to be given back by {@link #release}. */
  public R acquire(ByteBuffer memory) {
    Key key = new Key(memory);
    Entry entry = entries.get(key);
    if (entry == null) {
      entry = new Entry(register.apply(memory));
      entries.put(key, entry);
      bytes += memory.capacity();
    }
    entry.users++;
    return entry.registration;
  }

  /** Gives one use of it back; the registration lives on until it makes way. */
  public void release(ByteBuffer memory) {
    Entry entry = entries.get(new Key(memory));
    if (entry == null || entry.users == 0) {
      throw new IllegalStateException("memory that is not in use is released");
    }
    entry.users--;
    evict();
  }

  private void evict() {
    evict(maxEntries, maxBytes);
  }

  /** Deregisters what is not in use. */
  public void clear() {
    evict(0, 0);
  }

  private void evict(int mostEntries, long mostBytes) {
    Iterator<Map.Entry<Key, Entry>> oldest = entries.entrySet().iterator();
    while ((entries.size() > mostEntries || bytes > mostBytes) && oldest.hasNext()) {
      Map.Entry<Key, Entry> candidate = oldest.next();
      if (candidate.getValue().users == 0) {
        oldest.remove();
        bytes -= candidate.getKey().memory.capacity();
        deregister.accept(candidate.getValue().registration);
      }
    }
  }

  /** Buffers registered now, in use or not. */
  public int size() {
    return entries.size();
  }

  /** Deregisters everything, in use or not. */
  @Override
  public void close() {
    entries.values().forEach(entry -> deregister.accept(entry.registration));
    entries.clear();
    bytes = 0;
  }
}
