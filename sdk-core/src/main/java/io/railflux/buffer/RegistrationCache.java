package io.railflux.buffer;

import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Caches registrations of buffers with a network where registering costs more than copying a little, for senders that
 * reuse their buffers.
 *
 * <p>The key is the buffer object, not its address: before Java 22 addresses are not available, and two slices of the
 * same memory count as two. A cached registration keeps its buffer reachable, so that no memory is freed while a
 * device may use it. The cache is therefore bounded, evicts in order of use, and yields to other memory at once
 * ({@link #trim}). Engine thread only.
 *
 * @param <R> a registration
 */
public final class RegistrationCache<R> implements AutoCloseable {

  /** Compared by identity: buffers with equal content are different memory. */
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
  // Iterates in the order of use, independent of hashes.
  private final Map<Key, Entry> entries = new LinkedHashMap<>(16, 0.75f, true);
  // Bytes of the buffers that are not in use.
  private int kept;
  private long keptBytes;

  /**
   * Creates an empty cache.
   *
   * @param maxEntries largest number of cached buffers, without those in use; 0 caches nothing
   * @param maxBytes their total capacity
   */
  public RegistrationCache(
      int maxEntries, long maxBytes, Function<ByteBuffer, R> register, Consumer<R> deregister) {
    this.maxEntries = maxEntries;
    this.maxBytes = maxBytes;
    this.register = register;
    this.deregister = deregister;
  }

  /** Returns the registration of the whole buffer; the caller returns it by {@link #release}. */
  public R acquire(ByteBuffer memory) {
    Key key = new Key(memory);
    Entry entry = entries.get(key);
    if (entry == null) {
      entry = new Entry(register.apply(memory));
      entries.put(key, entry);
    } else if (entry.users == 0) {
      keptBytes -= memory.capacity();
      kept--;
    }
    entry.users++;
    return entry.registration;
  }

  /** Returns one use; the registration stays until it is evicted. */
  public void release(ByteBuffer memory) {
    Key key = new Key(memory);
    Entry entry = entries.get(key);
    if (entry == null || entry.users == 0) {
      throw new IllegalStateException("memory that is not in use is released");
    }
    entry.users--;
    if (entry.users == 0) {
      keptBytes += memory.capacity();
      kept++;
    }
    evict(maxEntries, maxBytes);
  }

  /** Ends the registration of a buffer that its owner gives up, unless it is in use or unknown. */
  public void forget(ByteBuffer memory) {
    Key key = new Key(memory);
    Entry entry = entries.get(key);
    if (entry != null && entry.users == 0) {
      entries.remove(key);
      gone(memory, entry);
    }
  }

  /** Ends unused registrations, least recently used first, until at most {@code bytes} remain. */
  public void trim(long bytes) {
    evict(bytes == 0 ? 0 : maxEntries, bytes);
  }

  private void evict(int maxKept, long maxKeptBytes) {
    Iterator<Map.Entry<Key, Entry>> oldest = entries.entrySet().iterator();
    while ((kept > maxKept || keptBytes > maxKeptBytes) && oldest.hasNext()) {
      Map.Entry<Key, Entry> candidate = oldest.next();
      if (candidate.getValue().users == 0) {
        oldest.remove();
        gone(candidate.getKey().memory, candidate.getValue());
      }
    }
  }

  private void gone(ByteBuffer memory, Entry entry) {
    keptBytes -= memory.capacity();
    kept--;
    deregister.accept(entry.registration);
  }

  /** Returns the bytes of buffers that are registered and not in use. */
  public long keptBytes() {
    return keptBytes;
  }

  /** Returns the number of registered buffers. */
  public int size() {
    return entries.size();
  }

  /** Ends all registrations, in use or not. */
  @Override
  public void close() {
    entries.values().forEach(entry -> deregister.accept(entry.registration));
    entries.clear();
    kept = 0;
    keptBytes = 0;
  }
}
