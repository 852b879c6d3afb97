package io.railflux.fabric.verbs.internal;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.TreeMap;

/**
 * Owns native objects and their memory. It releases adopted objects in reverse order, then the memory. An arena alone
 * guarantees no order, and a queue pair must be destroyed before its protection domain.
 *
 * <p>Not thread-safe, but not bound to a thread, because one thread opens a fabric and another drives it. Open scopes
 * are counted, so that tests detect leaks.
 */
public final class NativeScope implements AutoCloseable {

  private static final Map<String, Integer> OPEN = new TreeMap<>();

  private static final String TEMPORARY = "temporary";

  private final String what;
  private final Arena arena;
  private final ArrayDeque<Release> releases = new ArrayDeque<>();
  private boolean closed;

  /** @param what content, for leak reports */
  public NativeScope(String what) {
    this(what, Arena.ofShared());
  }

  private NativeScope(String what, Arena arena) {
    this.what = what;
    this.arena = arena;
    count(what, 1);
  }

  /** Creates a scope for the arguments of one call, confined to this thread and cheap to close. */
  public static NativeScope temporary() {
    return new NativeScope(TEMPORARY, Arena.ofConfined());
  }

  /** Releases one native object. */
  @FunctionalInterface
  public interface Release {
    void run();
  }

  /** Returns the memory of this scope. */
  public Arena arena() {
    return arena;
  }

  /** Allocates zeroed memory. */
  public MemorySegment allocate(long bytes, long alignment) {
    return arena.allocate(bytes, alignment);
  }

  /** Calls {@code release} when this scope is closed, before earlier adopted objects. */
  public <T> T adopt(T object, Release release) {
    releases.push(release);
    return object;
  }

  public boolean isClosed() {
    return closed;
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    for (Release release = releases.poll(); release != null; release = releases.poll()) {
      release.run();
    }
    arena.close();
    count(what, -1);
  }

  private static void count(String what, int change) {
    synchronized (OPEN) {
      OPEN.merge(what, change, (a, b) -> a + b == 0 ? null : a + b);
    }
  }

  /** Returns the open scopes of this process by kind. */
  public static Map<String, Integer> open() {
    synchronized (OPEN) {
      return new TreeMap<>(OPEN);
    }
  }
}
