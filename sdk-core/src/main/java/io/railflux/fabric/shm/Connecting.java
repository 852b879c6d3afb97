package io.railflux.fabric.shm;

import io.railflux.fabric.FabricListener;
import java.io.IOException;
import java.util.concurrent.TimeUnit;

/** Connecting side: makes the link, says HELLO, waits for the answer. */
final class Connecting extends Handshake {

  /** When many connect at once, those for whom the listener's queue has no place come again. */
  private static final long MIN_PAUSE_NANOS = 5_000_000L;

  private static final int MAX_DOUBLINGS = 5;

  /** So long they try: a listener that accepts nobody all that time is stopped. */
  static final long QUEUE_NANOS = 3 * TIMEOUT_NANOS;

  private final long attempt;
  private final long giveUpNanos;
  private final String location;
  private int refusals;
  private Link link;

  Connecting(ShmCore core, FabricListener listener, String location, long attempt) {
    super(core, listener);
    this.location = location;
    this.attempt = attempt;
    this.giveUpNanos = core.context().nowNanos() + QUEUE_NANOS;
  }

  void start() {
    try {
      begin(core().sockets().connect(ShmLocation.resolve(core().user(), location)));
      link = Link.create(core().directory().path(), core().context().randomLong());
      socket().send(HandshakeMessage.hello(core().directory().identity(), link.nonce()));
    } catch (DomainSockets.Full e) {
      comeAgain(e);
    } catch (IOException e) {
      fail(e);
    }
  }

  @SuppressWarnings("FutureReturnValueIgnored") // What it comes to is told by the handshake.
  private void comeAgain(DomainSockets.Full full) {
    if (core().context().nowNanos() - giveUpNanos >= 0) {
      fail(full);
    } else {
      // Seldom and not at the same moment, or looking for a place is all that hundreds of them do.
      long pause = MIN_PAUSE_NANOS << Math.min(refusals++, MAX_DOUBLINGS);
      long jitter = Math.floorMod(core().context().randomLong(), pause);
      var loop = core().context().eventLoop();
      loop.schedule(this::startAgain, pause + jitter, TimeUnit.NANOSECONDS);
    }
  }

  private void startAgain() {
    if (!finished()) {
      start();
      core().wakeIfArmed();
    }
  }

  @Override
  void onMessage(HandshakeMessage message) throws IOException {
    if (message.kind() == HandshakeMessage.REFUSE) {
      throw new IOException("the peer refused: " + Refusal.of(message.detail()).words());
    }
    message.expect(HandshakeMessage.WELCOME);
    if (message.nonce() != link.nonce()) {
      throw new IOException("the peer answered another handshake");
    }
    succeed(link, message.sender());
  }

  @Override
  void onFailure(IOException cause) {
    if (link != null) {
      link.release();
    }
  }

  @Override
  int deliver(FabricListener to) {
    if (endpoint() != null) {
      to.onConnected(endpoint(), attempt);
    } else {
      to.onConnectFailed(attempt, "cannot connect to shm:" + location + ": " + failure());
    }
    return 1;
  }
}
