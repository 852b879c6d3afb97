package io.railflux.fabric.verbs.internal;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;

/** Functions of the C library for waiting on descriptors. */
public final class LibC {

  /** {@code EPOLLIN | EPOLLET}: one event per change, none for unread data. */
  private static final int EPOLLIN_ON_CHANGE = 1 | 1 << 31;

  private static final int EPOLL_CTL_ADD = 1;
  private static final int F_GETFL = 3;
  private static final int F_SETFL = 4;
  private static final int O_NONBLOCK = 0x800;
  private static final int CLOEXEC = 0x80000;
  private static final int SC_PAGESIZE = 30;

  private static final SymbolLookup LIBRARY = Linker.nativeLinker().defaultLookup();

  private static final NativeFunction FCNTL = function("fcntl");
  private static final NativeFunction EPOLL_CREATE = function("epoll_create1");
  private static final NativeFunction EPOLL_CTL = function("epoll_ctl");
  private static final NativeFunction EPOLL_WAIT = function("epoll_wait");
  private static final NativeFunction EVENTFD = function("eventfd");
  private static final NativeFunction WRITE = function("write");
  private static final NativeFunction CLOSE = function("close");
  private static final NativeFunction SYSCONF = function("sysconf");

  private LibC() {}

  private static NativeFunction function(String name) {
    return new NativeFunction(LIBRARY, name);
  }

  public static void setNonBlocking(int fd) throws NativeFailure {
    int flags = FCNTL.valueOrMinusOne(fd, F_GETFL, 0);
    FCNTL.valueOrMinusOne(fd, F_SETFL, flags | O_NONBLOCK);
  }

  public static int epollCreate() throws NativeFailure {
    return EPOLL_CREATE.valueOrMinusOne(CLOEXEC);
  }

  /**
   * Watches a descriptor.
   *
   * @param token returned by {@link #epollWait} when {@code fd} becomes readable
   */
  public static void epollAdd(int epoll, int fd, long token) throws NativeFailure {
    try (NativeScope scope = NativeScope.temporary()) {
      MemorySegment event = EpollEvent.of(scope, EPOLLIN_ON_CHANGE, token);
      EPOLL_CTL.valueOrMinusOne(epoll, EPOLL_CTL_ADD, fd, event.address());
    }
  }

  /** Blocks. Returns the number of events written to {@code into}; 0 also after a signal. */
  public static int epollWait(int epoll, EpollEvent into) {
    return Math.max(0, (int) EPOLL_WAIT.value(epoll, into.address(), into.capacity(), -1));
  }

  public static int eventFd() throws NativeFailure {
    return EVENTFD.valueOrMinusOne(0, CLOEXEC | O_NONBLOCK);
  }

  public static void signal(int eventFd) {
    try (NativeScope scope = NativeScope.temporary()) {
      MemorySegment one = scope.allocate(Long.BYTES, Long.BYTES);
      one.set(JAVA_LONG, 0, 1);
      WRITE.value(eventFd, one.address(), Long.BYTES);
    }
  }

  public static void close(int fd) {
    CLOSE.value(fd);
  }

  public static int pageBytes() {
    return (int) SYSCONF.value(SC_PAGESIZE);
  }
}
