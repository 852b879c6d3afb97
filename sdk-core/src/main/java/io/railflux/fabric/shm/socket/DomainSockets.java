package io.railflux.fabric.shm.socket;

import io.netty.channel.IoEventLoop;
import io.railflux.buffer.OpenFiles;
import io.railflux.fabric.FabricListener;
import io.railflux.fabric.SocketLoop;
import java.io.Closeable;
import java.io.IOException;
import java.net.ConnectException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Unix-domain sockets of the engine's loop: those of epoll or of the JDK. Engine thread only; all operations take
 * effect at once.
 */
public interface DomainSockets {

  /** Bounds the cost of a wake-up when a peer floods the doorbell. */
  int MAX_READ_BYTES = 1024;

  int BACKLOG = 128;

  /** Time until the next accept after a failure, in milliseconds. */
  long PAUSE_MILLIS = 100;

  /** Returns the sockets of the loop. Without epoll no class of Netty is loaded. */
  static DomainSockets of(SocketLoop loop) {
    return loop.takesJdkChannels()
        ? new JdkSockets(loop)
        : new EpollSockets(loop.as(IoEventLoop.class).orElseThrow());
  }

  /**
   * Connects. A socket of this host answers at once or never.
   *
   * @throws Full if the listener may answer later
   */
  Connected connect(Path path) throws IOException;

  /**
   * Listens at a path without a file.
   *
   * @param onAccepted receives each new connection
   * @param onTrouble receives the cause of a failed accept, such as a lack of file descriptors. Returns whether the
   *     next attempt may succeed at once; otherwise the loop tries again after {@link #PAUSE_MILLIS}
   */
  Closeable listen(Path path, Consumer<Connected> onAccepted, Predicate<Throwable> onTrouble)
      throws IOException;

  /** A connection that is not read yet. */
  interface Connected {

    /**
     * Starts to read.
     *
     * @param onReady as in {@link LinkSocket}
     */
    LinkSocket begin(Runnable onReady) throws IOException;

    /** Returns the objection to the process at the other end; empty for a process of the same user. */
    String objection(PeerUser user) throws IOException;

    void close();
  }

  /** Describes why no socket could be created. */
  static IOException noSocket(Throwable cause) {
    String reason = OpenFiles.areTooMany(cause)
        ? OpenFiles.SHORTAGE
        : String.valueOf(cause.getCause() == null ? cause : cause.getCause());
    return new IOException("no socket: " + reason, cause);
  }

  /** Describes the failure to connect to a path. */
  static IOException failure(Path path, IOException cause) {
    String text = String.valueOf(cause.getMessage());
    if (!Files.exists(path) || (cause instanceof ConnectException && text.contains("refused"))) {
      return new IOException(FabricListener.NOTHING_LISTENS + "this path (" + path + ")", cause);
    }
    return cause instanceof Pending || text.contains("temporarily unavailable")
        ? new Full(cause)
        : cause;
  }

  /** A process listens, and has no room for further pending connections. */
  final class Full extends IOException {
    private static final long serialVersionUID = 1L;

    Full(IOException cause) {
      super("the listener has too many pending connections; try again", cause);
    }
  }

  /** The peer closed the connection. */
  final class Gone extends IOException {
    private static final long serialVersionUID = 1L;

    Gone(IOException cause) {
      super("the peer closed the connection during the handshake", cause);
    }
  }

  /** An operation that takes effect at once did not. */
  final class Pending extends IOException {
    private static final long serialVersionUID = 1L;
  }
}
