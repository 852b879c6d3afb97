package io.railflux.fabric.shm.socket;

import io.railflux.fabric.SocketLoop;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;

/** A channel of the JDK, whose doorbells are read. */
public final class JdkLink extends LinkSocket {

  private final SocketChannel channel;
  private final SocketLoop loop;
  private final SocketLoop.Registration registration;
  private final ByteBuffer bell;
  private final ByteBuffer read;
  private boolean closed;

  /**
   * The links of a loop share their buffers, so that a connection needs no memory.
   *
   * @param bell one byte without meaning
   * @param read receives bytes that are copied or dropped at once
   */
  public JdkLink(
      SocketChannel channel, SocketLoop loop, ByteBuffer bell, ByteBuffer read, Runnable onReady)
      throws IOException {
    super(onReady);
    this.bell = bell.duplicate();
    this.read = read;
    this.channel = channel;
    this.loop = loop;
    this.registration = loop.register(channel, SelectionKey.OP_READ, this::read);
  }

  private void read() {
    if (closed) {
      return;
    }
    read.clear();
    int bytes;
    try {
      bytes = channel.read(read);
    } catch (IOException e) {
      bytes = -1;
    }
    if (bytes < 0) {
      end();
    } else if (bytes > 0) {
      ByteBuffer message = lacking(bytes);
      message.put(read.flip().limit(message.remaining()));
      arrived();
    }
  }

  @Override
  public void send(ByteBuffer message) throws IOException {
    try {
      channel.write(message);
    } catch (IOException e) {
      throw new DomainSockets.Gone(e);
    }
    if (message.hasRemaining()) {
      throw new IOException("the socket has no room for a handshake");
    }
  }

  @Override
  public void expectBells() {
    // The handshake's reads continue.
  }

  @Override
  public void makeRoom(int asked) {
    // All bytes are read.
  }

  @Override
  public void ring() {
    // Another socket may have the number of a closed one.
    if (closed) {
      return;
    }
    try {
      channel.write(bell.clear());
    } catch (IOException e) {
      // Deferred, because the caller does not expect the end during its work.
      loop.schedule(this::end, 0);
    }
  }

  @Override
  public void onEnd() {
    close();
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      registration.close();
      JdkSockets.close(channel);
    }
  }
}
