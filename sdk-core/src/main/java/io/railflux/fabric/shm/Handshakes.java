package io.railflux.fabric.shm;

import io.netty.channel.Channel;
import io.railflux.fabric.FabricListener;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The unfinished handshakes of one fabric: bounded in number, bytes and time. */
final class Handshakes {

  private static final Logger LOG = LoggerFactory.getLogger(Handshakes.class);

  /** Of accepted connections, the oldest make room; own attempts are the user's business. */
  static final int MAX_ACCEPTING = 64;

  private final ShmCore core;
  private final Consumer<ShmEndpoint> connected;
  private final List<Handshake> handshakes = new ArrayList<>();
  private int accepting;

  /**
   * @param connected hears of every endpoint just before its listener does
   */
  Handshakes(ShmCore core, Consumer<ShmEndpoint> connected) {
    this.core = core;
    this.connected = connected;
  }

  void connect(String location, long attempt, FabricListener listener) {
    Connecting handshake = new Connecting(core, listener, location, attempt);
    handshakes.add(handshake);
    handshake.start();
    core.wakeIfArmed();
  }

  /** Takes a channel just accepted. */
  void accept(Channel channel, FabricListener listener) {
    if (accepting >= MAX_ACCEPTING) {
      refuseOldest();
    }
    Accepting handshake = new Accepting(core, listener);
    handshakes.add(handshake);
    accepting++;
    try {
      handshake.begin(channel);
    } catch (IOException e) {
      handshake.fail(e);
    }
  }

  /** A peer says at once who it is; who only keeps places never does. */
  private void refuseOldest() {
    for (Handshake handshake : handshakes) {
      if (handshake instanceof Accepting && !handshake.finished()) {
        handshake.fail(
            new HandshakeException(Refusal.BUSY, "more than " + MAX_ACCEPTING + " unfinished"));
        return;
      }
    }
  }

  /** Delivers outcomes. A callback may begin further handshakes. */
  int poll(int limit, long nowNanos) {
    int delivered = 0;
    for (int i = 0; i < handshakes.size() && delivered < limit; ) {
      Handshake handshake = handshakes.get(i);
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
    for (Handshake handshake : handshakes) {
      if (handshake.endpoint() != null) {
        handshake.endpoint().close();
      } else if (!handshake.finished()) {
        handshake.fail(closed);
      }
    }
    handshakes.clear();
  }

  private int deliver(Handshake handshake) {
    if (handshake instanceof Accepting) {
      accepting--;
    }
    if (handshake.endpoint() != null) {
      connected.accept(handshake.endpoint());
    }
    try {
      return handshake.deliver();
    } catch (RuntimeException e) {
      LOG.error("a listener threw when told of a connection", e);
      if (handshake.endpoint() != null) {
        handshake.endpoint().close();
      }
      return 1;
    }
  }
}
