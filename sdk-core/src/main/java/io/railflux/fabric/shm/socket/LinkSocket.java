package io.railflux.fabric.shm.socket;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Socket of one connection: carries the handshake, then doorbells, and signals the life of the peer. The kernel
 * closes it when the process of the peer ends for any reason. Engine thread only.
 */
public abstract class LinkSocket {

  private final Runnable onReady;
  private final ByteBuffer input =
      ByteBuffer.allocate(HandshakeMessage.BYTES).order(ByteOrder.LITTLE_ENDIAN);
  private boolean ended;

  /** @param onReady runs when the peer sent a message or doorbells, and when it has gone */
  public LinkSocket(Runnable onReady) {
    this.onReady = onReady;
  }

  /** Whether the end of the peer is closed. */
  public final boolean ended() {
    return ended;
  }

  /**
   * Sends a handshake message; the buffer of a new socket has room for it.
   *
   * @param output direct memory for the message, free on return
   * @throws DomainSockets.Gone if the peer closed the connection; its earlier bytes are still received
   */
  public final void send(HandshakeMessage message, ByteBuffer output) throws IOException {
    message.encode(output.clear());
    send(output);
  }

  public abstract void send(ByteBuffer message) throws IOException;

  /**
   * Returns the handshake message; later bytes are doorbells.
   *
   * @return the message, or {@code null} while it is incomplete
   */
  public final HandshakeMessage received() throws IOException {
    if (!input.hasRemaining()) {
      return HandshakeMessage.decode(input);
    }
    if (ended) {
      throw new IOException("the peer closed the connection during the handshake");
    }
    return null;
  }

  /** Returns a buffer for the missing bytes of the handshake message. */
  public final ByteBuffer lacking(int atMost) {
    return input.limit(input.position() + Math.min(input.capacity() - input.position(), atMost));
  }

  /** {@link #lacking} is filled; later bytes are dropped. */
  public final void arrived() {
    input.limit(input.capacity());
    onReady.run();
  }

  /** The end of the peer is closed. */
  public final void end() {
    if (!ended) {
      ended = true;
      onEnd();
      onReady.run();
    }
  }

  /** Releases the socket; the endpoint may exist until its peer reconnects. */
  public abstract void onEnd();

  /** The handshake is complete; further bytes are doorbells. */
  public abstract void expectBells();

  /**
   * Called before this side requests a doorbell and sleeps.
   *
   * @param asked number of earlier requests, for any reason
   */
  public abstract void makeRoom(int asked);

  /**
   * Wakes the peer. A socket without room contains an unread byte, which wakes the peer too: the peer reads it, or
   * {@linkplain EdgeBell makes room}.
   *
   * <p>Needs no fence: the socket lock of the kernel orders earlier stores before the wake-up of the peer.
   */
  public abstract void ring();

  public abstract void close();
}
