package io.railflux.fabric.shm;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SocketChannel;

/**
 * The socket of one connection: first for the handshake, then as doorbell and as proof of life. The
 * kernel closes it when the peer's process ends, whatever ended it.
 */
final class LinkSocket {

  /** Bounds what one wake-up may cost when a peer floods the doorbell. */
  private static final int MAX_DRAIN_BYTES = 1024;

  private final SocketChannel channel;
  private final ByteBuffer bell = ByteBuffer.allocateDirect(1);
  private final ByteBuffer input = ByteBuffer.allocateDirect(MAX_DRAIN_BYTES);
  private boolean ended;

  /**
   * @param channel connected and non-blocking
   */
  LinkSocket(SocketChannel channel) {
    this.channel = channel;
    input.order(ByteOrder.LITTLE_ENDIAN).limit(HandshakeMessage.BYTES);
  }

  SocketChannel channel() {
    return channel;
  }

  /** Whether the peer's end is closed. */
  boolean ended() {
    return ended;
  }

  /** Sends a handshake message; a fresh socket's buffer has room for it. */
  void send(HandshakeMessage message) throws IOException {
    ByteBuffer output = ByteBuffer.allocateDirect(HandshakeMessage.BYTES);
    message.encode(output.order(ByteOrder.LITTLE_ENDIAN));
    if (channel.write(output) != HandshakeMessage.BYTES) {
      throw new IOException("the socket has no room for a handshake");
    }
  }

  /**
   * Reads on, never beyond the message: what follows are doorbells.
   *
   * @return the message, or {@code null} while it is incomplete
   */
  HandshakeMessage receive() throws IOException {
    if (channel.read(input) < 0) {
      ended = true;
      throw new IOException("the connection was closed during the handshake");
    }
    return input.hasRemaining() ? null : HandshakeMessage.decode(input);
  }

  /**
   * Wakes the peer. When the socket has no room there is an unread byte, which wakes as well.
   *
   * <p>No order needed: the kernel's socket lock puts all earlier stores before the peer's wake-up.
   */
  void ring() {
    if (ended) {
      return;
    }
    bell.clear();
    try {
      channel.write(bell);
    } catch (IOException e) {
      end();
    }
  }

  /** Takes doorbells off the socket, and notices its end. */
  void drain() {
    input.clear();
    try {
      if (channel.read(input) < 0) {
        end();
      }
    } catch (IOException e) {
      end();
    }
  }

  void close() {
    try {
      channel.close();
    } catch (IOException e) {
      // Nothing is lost with it: no data is ever pending on this socket.
    }
  }

  private void end() {
    ended = true;
    // A socket at its end is readable for ever; closing it ends the watch.
    close();
  }
}
