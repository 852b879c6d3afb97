package io.railflux.fabric.verbs.internal;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.lang.foreign.MemorySegment;

/** An array of {@code struct epoll_event}, which is packed on x86-64 only. */
public final class EpollEvent {

  private static final boolean PACKED = "amd64".equals(System.getProperty("os.arch"));
  private static final long DATA = PACKED ? 4 : 8;

  static final long BYTES = DATA + Long.BYTES;

  private final MemorySegment events;
  private final int capacity;

  public EpollEvent(NativeScope scope, int capacity) {
    this.events = scope.allocate(BYTES * capacity, Long.BYTES);
    this.capacity = capacity;
  }

  static MemorySegment of(NativeScope scope, int mask, long token) {
    MemorySegment event = scope.allocate(BYTES, Long.BYTES);
    event.set(JAVA_INT_UNALIGNED, 0, mask);
    event.set(JAVA_LONG_UNALIGNED, DATA, token);
    return event;
  }

  long address() {
    return events.address();
  }

  int capacity() {
    return capacity;
  }

  public long token(int index) {
    return events.get(JAVA_LONG_UNALIGNED, index * BYTES + DATA);
  }
}
