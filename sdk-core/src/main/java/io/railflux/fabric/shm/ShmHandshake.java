package io.railflux.fabric.shm;

import io.railflux.fabric.FabricListener;
import io.railflux.fabric.shm.files.ProcessIdentity;
import io.railflux.fabric.shm.socket.DomainSockets;
import io.railflux.fabric.shm.socket.HandshakeException;
import io.railflux.fabric.shm.socket.HandshakeMessage;
import io.railflux.fabric.shm.socket.LinkSocket;
import io.railflux.fabric.shm.socket.Refusal;
import java.io.IOException;
import reactor.core.Disposable;

/** A handshake of either side. It ends as an endpoint or with a reason, which a poll reports. */
abstract class ShmHandshake {

  static final long TIMEOUT_NANOS = 5_000_000_000L;

  private final ShmCore core;
  private final FabricListener listener;
  private long deadlineNanos;
  private Disposable wakeUp;
  private LinkSocket socket;
  private ShmEndpoint endpoint;
  private String failure;

  ShmHandshake(ShmCore core, FabricListener listener) {
    this.core = core;
    this.listener = listener;
  }

  /** Processes a complete message and calls {@link #succeed}, or throws. */
  abstract void onMessage(HandshakeMessage message) throws IOException;

  /** Releases the resources of the attempt and reports the failure. */
  abstract void onFailure(IOException cause);

  /** Reports the result to the listener. Returns the number of callbacks. */
  abstract int deliver(FabricListener to);

  final ShmCore core() {
    return core;
  }

  final LinkSocket socket() {
    return socket;
  }

  final void send(HandshakeMessage message) throws IOException {
    socket.send(message, core.message());
  }

  final ShmEndpoint endpoint() {
    return endpoint;
  }

  /** Returns the reason of the failure; {@code null} without one. */
  final String failure() {
    return failure;
  }

  final int deliver() {
    return deliver(listener);
  }

  final boolean finished() {
    return endpoint != null || failure != null;
  }

  /** Verifies the user at the other end and waits for its message. */
  final void begin(DomainSockets.Connected connection) throws IOException {
    expectAnswer();
    try {
      socket = connection.begin(this::onReady);
    } catch (IOException e) {
      connection.close();
      throw e;
    }
    String objection = connection.objection(core.peerUser());
    if (!objection.isEmpty()) {
      throw new HandshakeException(Refusal.OTHER_USER, objection);
    }
  }

  private void expectAnswer() {
    deadlineNanos = core.context().nowNanos() + TIMEOUT_NANOS;
    // A poll detects the time-out; no other event may end the engine's sleep by then.
    wakeUp = core.context().socketLoop().schedule(core::wakeIfArmed, TIMEOUT_NANOS);
  }

  final void succeed(Link link, ProcessIdentity peer) {
    endpoint = new ShmEndpoint(core, link, socket, peer, listener);
    wakeUp.dispose();
    socket.expectBells();
  }

  final void fail(IOException cause) {
    failure = cause.getMessage() == null ? cause.toString() : cause.getMessage();
    if (wakeUp != null) {
      wakeUp.dispose();
    }
    onFailure(cause);
    if (socket != null) {
      socket.close();
    }
  }

  final void expire(long nowNanos) {
    if (!finished() && socket != null && nowNanos - deadlineNanos >= 0) {
      fail(new IOException("no answer within 5 s; is the process stopped?"));
    }
  }

  /** Callback of the socket during the life of the endpoint. */
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
