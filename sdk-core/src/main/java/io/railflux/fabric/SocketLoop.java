package io.railflux.fabric;

import java.io.IOException;
import java.nio.channels.SelectableChannel;
import java.util.Optional;
import reactor.core.Disposable;

/**
 * The loop in which an engine thread waits for sockets, timers and wake-ups. Callbacks run on the engine thread,
 * inside {@link FabricContext#pollIo} and while the engine sleeps. Engine thread only.
 *
 * <p>The loop is an event loop of Netty if a suitable Netty is on the class path. Otherwise it is a selector of the
 * JDK, and fabrics that need Netty are unavailable.
 */
public interface SocketLoop {

  /**
   * Returns the loop as a type of another library.
   *
   * @param <T> type of the loop
   * @param type class such as {@code io.netty.channel.IoEventLoop}, with which channels of Netty are registered
   * @return the loop; empty if it has another type
   */
  <T> Optional<T> as(Class<T> type);

  /**
   * Returns whether {@link #register} is supported.
   *
   * @return false if epoll drives the loop
   */
  boolean takesJdkChannels();

  /**
   * Waits for a channel of the JDK.
   *
   * @param channel channel in non-blocking mode; stays the property of the caller, who closes it after {@link
   *     Registration#close}
   * @param operations operations as in {@link java.nio.channels.SelectionKey}
   * @param onReady runs repeatedly while one of the operations is possible
   * @return the registration, owned by the caller
   * @throws IOException if the channel is closed
   * @throws UnsupportedOperationException if {@link #takesJdkChannels} is false
   */
  Registration register(SelectableChannel channel, int operations, Runnable onReady)
      throws IOException;

  /**
   * Runs a task once after a delay.
   *
   * @param task must not block; its exceptions are logged
   * @param delayNanos delay in nanoseconds, at least 0
   * @return cancels the task unless it has run
   */
  Disposable schedule(Runnable task, long delayNanos);

  /** A channel that the loop waits for. */
  interface Registration extends AutoCloseable {

    /**
     * Replaces the operations to wait for.
     *
     * @param operations operations as in {@link java.nio.channels.SelectionKey}; 0 for none
     */
    void operations(int operations);

    /** Ends the registration. The channel stays open. Idempotent. */
    @Override
    void close();
  }
}
