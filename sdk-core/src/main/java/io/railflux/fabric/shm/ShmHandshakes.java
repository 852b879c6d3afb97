package io.railflux.fabric.shm;

import io.railflux.buffer.OpenFiles;
import io.railflux.fabric.FabricListener;
import io.railflux.fabric.shm.socket.DomainSockets;
import io.railflux.fabric.shm.socket.HandshakeException;
import io.railflux.fabric.shm.socket.Refusal;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Pending handshakes of one fabric, bounded in number, bytes and time. */
final class ShmHandshakes {

  private static final Logger LOG = LoggerFactory.getLogger(ShmHandshakes.class);

  /** Largest number of accepted connections, of which the oldest make room; the user bounds own attempts. */
  static final int MAX_ACCEPTING = 64;

  private final ShmCore core;
  private final Consumer<ShmEndpoint> connected;
  private final List<ShmHandshake> handshakes = new ArrayList<>();
  private int accepting;

  /** @param connected receives every endpoint immediately before its listener */
  ShmHandshakes(ShmCore core, Consumer<ShmEndpoint> connected) {
    this.core = core;
    this.connected = connected;
  }

  void connect(String location, long attempt, FabricListener listener) {
    ShmConnecting handshake = new ShmConnecting(core, listener, location, attempt);
    handshakes.add(handshake);
    handshake.start();
    core.wakeIfArmed();
  }

  /**
   * Takes an accepted connection.
   *
   * @param isLast whether it has the last file descriptor and can only be refused
   */
  void accept(DomainSockets.Connected connection, FabricListener listener, boolean isLast) {
    if (accepting >= MAX_ACCEPTING) {
      refuseOldest();
    }
    Accepting handshake = new Accepting(core, listener);
    handshakes.add(handshake);
    accepting++;
    try {
      handshake.begin(connection);
      if (isLast) {
        handshake.fail(new HandshakeException(Refusal.NO_FILES, OpenFiles.SHORTAGE));
      }
    } catch (IOException e) {
      handshake.fail(e);
    }
  }

  /** Peers send HELLO at once; a client that only occupies places sends nothing. */
  private void refuseOldest() {
    for (ShmHandshake handshake : handshakes) {
      if (handshake instanceof Accepting && !handshake.finished()) {
        handshake.fail(
            new HandshakeException(Refusal.BUSY, "more than " + MAX_ACCEPTING + " unfinished"));
        return;
      }
    }
  }

  /** Delivers results. A callback may begin further handshakes. */
  int poll(int limit, long nowNanos) {
    int delivered = 0;
    for (int i = 0; i < handshakes.size() && delivered < limit; ) {
      ShmHandshake handshake = handshakes.get(i);
      handshake.expire(nowNanos);
      if (handshake.finished()) {
        handshakes.remove(i);
        delivered += deliver(handshake);
      } else {
        i++;
      }
    }
    return delivered;
  }

  void close() {
    IOException closed = new IOException("the fabric was closed");
    for (ShmHandshake handshake : handshakes) {
      if (handshake.endpoint() != null) {
        handshake.endpoint().close();
      } else if (!handshake.finished()) {
        handshake.fail(closed);
      }
    }
    handshakes.clear();
  }

  private int deliver(ShmHandshake handshake) {
    if (handshake instanceof Accepting) {
      accepting--;
    }
    if (handshake.endpoint() != null) {
      connected.accept(handshake.endpoint());
    }
    try {
      return handshake.deliver();
    } catch (Throwable e) {
      LOG.error("a listener threw on a new connection", e);
      if (handshake.endpoint() != null) {
        handshake.endpoint().close();
      }
      return 1;
    }
  }
}
