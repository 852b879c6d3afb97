package io.railflux.fabric;

import io.netty.channel.IoEventLoop;

/**
 * What an engine lends to the fabrics it drives.
 *
 * <p>All methods but {@link #wakeUp()} are for the engine thread only.
 */
public interface FabricContext {

  /** The engine's clock, read once per duty cycle; nanoseconds, arbitrary origin, monotonic. */
  long nowNanos();

  /** A seeded or secure source of 64 random bits for keys and nonces. */
  long randomLong();

  /** Ends the engine's sleep, or keeps it from beginning the next one. Any thread. */
  void wakeUp();

  /**
   * Where channels of Netty's are registered: driven by the engine's thread, inside {@link
   * #pollIo} and while the engine sleeps. Whether it takes epoll's or NIO's channels it says
   * itself.
   *
   * @throws UnsupportedOperationException on engines without real I/O (simulation)
   */
  default IoEventLoop eventLoop() {
    throw new UnsupportedOperationException("no real I/O here");
  }

  /**
   * Whether the engine slept right before this cycle, and so ran what was ready of {@link #eventLoop}: a poll
   * need not do so again, which takes a system call.
   */
  default boolean justSlept() {
    return false;
  }

  /** Runs what is ready of {@link #eventLoop}, without waiting. Returns how much that was. */
  int pollIo();
}
