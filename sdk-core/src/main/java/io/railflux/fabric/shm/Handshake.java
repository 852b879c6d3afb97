package io.railflux.fabric.shm;

import io.netty.channel.Channel;
import io.netty.util.concurrent.Future;
import io.railflux.fabric.FabricListener;
import java.io.IOException;
import java.util.concurrent.TimeUnit;

/**
 * A connection that is being made, from either side. Ends as an endpoint or with a reason; a poll
 * tells which.
 */
abstract class Handshake {

  static final long TIMEOUT_NANOS = 5_000_000_000L;

  private final ShmCore core;
  private final FabricListener listener;
  private long deadlineNanos;
  private Future<?> wakeUp;
  private LinkSocket socket;
  private ShmEndpoint endpoint;
  private String failure;

  Handshake(ShmCore core, FabricListener listener) {
    this.core = core;
    this.listener = listener;
  }

  /** Acts on a complete message; {@link #succeed} or an exception. */
  abstract void onMessage(HandshakeMessage message) throws IOException;

  /** Releases what the attempt holds and tells whom it concerns. */
  abstract void onFailure(IOException cause);

  /** Tells the listener how it ended. Returns how many callbacks that took. */
  abstract int deliver(FabricListener to);

  final ShmCore core() {
    return core;
  }

  final LinkSocket socket() {
    return socket;
  }

  final ShmEndpoint endpoint() {
    return endpoint;
  }

  /** Why it came to nothing; {@code null} while it has not. */
  final String failure() {
    return failure;
  }

  final int deliver() {
    return deliver(listener);
  }

  final boolean finished() {
    return endpoint != null || failure != null;
  }

  /** Checks who is at the other end of a connected channel and waits for its message. */
  final void begin(Channel channel) throws IOException {
    expectAnswer();
    socket = new LinkSocket(channel, this::onReady);
    core.sockets().begin(channel, socket);
    String objection = core.peerUser().objection(channel);
    if (!objection.isEmpty()) {
      throw new HandshakeException(Refusal.OTHER_USER, objection);
    }
  }

  private void expectAnswer() {
    deadlineNanos = core.context().nowNanos() + TIMEOUT_NANOS;
    // A poll notices; nothing else may end the engine's sleep by then.
    wakeUp =
        core.context().eventLoop().schedule(core::wakeIfArmed, TIMEOUT_NANOS, TimeUnit.NANOSECONDS);
  }

  final void succeed(Link link, ProcessIdentity peer) {
    endpoint = new ShmEndpoint(core, link, socket, peer, listener);
    wakeUp.cancel(false);
    socket.expectBells(core.context().eventLoop());
  }

  final void fail(IOException cause) {
    failure = cause.getMessage() == null ? cause.toString() : cause.getMessage();
    if (wakeUp != null) {
      wakeUp.cancel(false);
    }
    onFailure(cause);
    if (socket != null) {
      socket.close();
    }
  }

  final void expire(long nowNanos) {
    if (!finished() && socket != null && nowNanos - deadlineNanos >= 0) {
      fail(new IOException("no answer within 5 s; is the process there stopped?"));
    }
  }

  /** Of the socket, for the endpoint's whole life. */
  private void onReady() {
    if (endpoint != null) {
      endpoint.onBell();
    } else if (failure == null) {
      progress();
      core.wakeIfArmed();
    }
  }

  private void progress() {
    try {
      HandshakeMessage message = socket.received();
      if (message != null) {
        onMessage(message);
      }
    } catch (IOException e) {
      fail(e);
    }
  }
}
