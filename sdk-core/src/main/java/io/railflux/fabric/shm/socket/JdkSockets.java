package io.railflux.fabric.shm.socket;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import io.railflux.fabric.SocketLoop;
import io.railflux.fabric.SocketLoop.Registration;
import java.io.Closeable;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.function.Consumer;
import java.util.function.Predicate;
import jdk.net.ExtendedSocketOptions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sockets of the JDK, used without epoll or without Netty. */
public final class JdkSockets implements DomainSockets {

  private static final Logger LOG = LoggerFactory.getLogger(JdkSockets.class);

  /** Bounds the turn of a listener. */
  private static final int MAX_ACCEPTS = 16;

  private final ByteBuffer bell = ByteBuffer.allocateDirect(1);
  private final ByteBuffer input = ByteBuffer.allocateDirect(MAX_READ_BYTES);
  private final SocketLoop loop;

  public JdkSockets(SocketLoop loop) {
    this.loop = loop;
  }

  @Override
  public Connected connect(Path path) throws IOException {
    SocketChannel channel = opened();
    try {
      channel.configureBlocking(false);
      if (!channel.connect(UnixDomainSocketAddress.of(path))) {
        throw new Pending();
      }
      return new Connection(channel);
    } catch (IOException e) {
      close(channel);
      throw DomainSockets.failure(path, e);
    }
  }

  private static SocketChannel opened() throws IOException {
    try {
      return SocketChannel.open(StandardProtocolFamily.UNIX);
    } catch (IOException e) {
      throw DomainSockets.noSocket(e);
    }
  }

  @Override
  public Closeable listen(Path path, Consumer<Connected> onAccepted, Predicate<Throwable> onTrouble)
      throws IOException {
    ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    try {
      server.configureBlocking(false);
      server.bind(UnixDomainSocketAddress.of(path), BACKLOG);
      return new Listener(server, onAccepted, onTrouble);
    } catch (IOException e) {
      close(server);
      throw e;
    }
  }

  public static void close(Closeable channel) {
    try {
      channel.close();
    } catch (IOException e) {
      LOG.debug("closing a socket", e);
    }
  }

  final class Listener implements Closeable {

    private final ServerSocketChannel server;
    private final Consumer<Connected> onAccepted;
    private final Predicate<Throwable> onTrouble;
    private final Registration registration;

    private Listener(
        ServerSocketChannel server, Consumer<Connected> onAccepted, Predicate<Throwable> onTrouble)
        throws IOException {
      this.server = server;
      this.onAccepted = onAccepted;
      this.onTrouble = onTrouble;
      this.registration = loop.register(server, SelectionKey.OP_ACCEPT, this::accept);
    }

    private void accept() {
      try {
        for (int i = 0; i < MAX_ACCEPTS && server.isOpen(); i++) {
          SocketChannel accepted = server.accept();
          if (accepted == null) {
            return;
          }
          accepted.configureBlocking(false);
          onAccepted.accept(new Connection(accepted));
        }
      } catch (IOException e) {
        failed(e);
      }
    }

    /** A waiting connection would wake the loop again at once. */
    void failed(IOException cause) {
      registration.operations(0);
      long pause = onTrouble.test(cause) ? 1 : PAUSE_MILLIS;
      loop.schedule(this::resume, MILLISECONDS.toNanos(pause));
    }

    private void resume() {
      if (server.isOpen()) {
        registration.operations(SelectionKey.OP_ACCEPT);
      }
    }

    @Override
    public void close() {
      registration.close();
      JdkSockets.close(server);
    }
  }

  final class Connection implements Connected {

    private final SocketChannel channel;

    Connection(SocketChannel channel) {
      this.channel = channel;
    }

    SocketChannel channel() {
      return channel;
    }

    @Override
    public LinkSocket begin(Runnable onReady) throws IOException {
      return new JdkLink(channel, loop, bell, input, onReady);
    }

    @Override
    public String objection(PeerUser user) throws IOException {
      return user.objection(channel.getOption(ExtendedSocketOptions.SO_PEERCRED).user());
    }

    @Override
    public void close() {
      JdkSockets.close(channel);
    }
  }
}
