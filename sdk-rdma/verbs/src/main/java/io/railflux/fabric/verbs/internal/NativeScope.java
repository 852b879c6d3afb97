package io.railflux.fabric.verbs.internal;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.TreeMap;

/**
 * Owns native objects and the memory they need: what is adopted is released in reverse order, then the
 * memory goes. An arena alone promises no order, and a queue pair must go before its protection domain.
 *
 * <p>One thread at a time; not bound to one, because a fabric is opened by one thread and driven by
 * another. Scopes that are open are counted, so that a test finds what was left.
 */
public final class NativeScope implements AutoCloseable {

  private static final Map<String, Integer> OPEN = new TreeMap<>();

  private static final String TEMPORARY = "temporary";

  private final String what;
  private final Arena arena;
  private final ArrayDeque<Release> releases = new ArrayDeque<>();
  private boolean closed;

  /** @param what is in it, for who looks for a leak */
  public NativeScope(String what) {
    this(what, Arena.ofShared());
  }

  private NativeScope(String what, Arena arena) {
    this.what = what;
    this.arena = arena;
    count(what, 1);
  }

  /** For the arguments of one call: of this thread alone, and cheap to close for that. */
  static NativeScope temporary() {
    return new NativeScope(TEMPORARY, Arena.ofConfined());
  }

  /** Ends one native object. */
  @FunctionalInterface
  public interface Release {
    void run();
  }

  /** Memory that lives as long as this. */
  public Arena arena() {
    return arena;
  }

  /** Zeroed. */
  public MemorySegment allocate(long bytes, long alignment) {
    return arena.allocate(bytes, alignment);
  }

  /** Calls {@code release} when this is closed, before whatever was adopted earlier. */
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

  /** What is open in this process, by kind; empty when nothing is. */
  public static Map<String, Integer> open() {
    synchronized (OPEN) {
      return new TreeMap<>(OPEN);
    }
  }
}
