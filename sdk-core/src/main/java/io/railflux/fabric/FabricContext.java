package io.railflux.fabric;

import io.netty.channel.IoEventLoop;
import java.io.IOException;
import java.nio.channels.SelectableChannel;

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
   * #pollWatched} and while the engine sleeps. Whether it takes epoll's or NIO's channels it says
   * itself.
   *
   * @throws UnsupportedOperationException on engines without real I/O (simulation)
   */
  default IoEventLoop eventLoop() {
    throw new UnsupportedOperationException("no real I/O here");
  }

  /**
   * Makes the engine's sleep end when {@code channel} becomes readable (or acceptable) and runs
   * {@code onReady} on the engine thread then. The channel must be non-blocking; closing it ends the
   * watch.
   *
   * @throws IOException when the channel cannot be watched, for instance because no fabric of the
   *     engine {@linkplain FabricProvider#watchesChannels said} that it would
   * @throws UnsupportedOperationException on engines without real I/O (simulation)
   */
  void watch(SelectableChannel channel, Runnable onReady) throws IOException;

  /**
   * Runs what is ready, of watched channels and of {@link #eventLoop}, without waiting. Returns how much
   * that was.
   */
  int pollWatched();
}
