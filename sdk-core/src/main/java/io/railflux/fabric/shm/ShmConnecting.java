package io.railflux.fabric.shm;

import io.railflux.fabric.FabricListener;
import io.railflux.fabric.shm.files.ShmLocation;
import io.railflux.fabric.shm.socket.DomainSockets;
import io.railflux.fabric.shm.socket.HandshakeMessage;
import io.railflux.fabric.shm.socket.Refusal;
import java.io.IOException;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Connecting side of a handshake: creates the link, sends HELLO, waits for the reply. */
final class ShmConnecting extends ShmHandshake {

  private static final Logger LOG = LoggerFactory.getLogger(ShmConnecting.class);

  /** When many processes connect at once, those without a place in the queue of the listener try again. */
  private static final long MIN_PAUSE_NANOS = 5_000_000L;

  private static final int MAX_DOUBLINGS = 5;

  /** Time of the attempts; a listener that accepts no connection for so long is stopped. */
  static final long QUEUE_NANOS = 3 * TIMEOUT_NANOS;

  private final long attempt;
  private final long giveUpNanos;
  private final String location;
  private int refusals;
  private Link link;

  ShmConnecting(ShmCore core, FabricListener listener, String location, long attempt) {
    super(core, listener);
    this.location = location;
    this.attempt = attempt;
    this.giveUpNanos = core.context().nowNanos() + QUEUE_NANOS;
  }

  void start() {
    try {
      begin(core().sockets().connect(ShmLocation.resolve(core().user(), location)));
      link = newLink();
      send(HandshakeMessage.hello(core().directory().identity(), link.nonce()));
    } catch (DomainSockets.Gone e) {
      // The reason may be among its earlier bytes, which are read next.
      LOG.debug("HELLO to shm:{} could not be sent", location, e);
    } catch (DomainSockets.Full e) {
      retryLater(e);
    } catch (IOException e) {
      fail(e);
    }
  }

  private Link newLink() throws IOException {
    Path directory = core().directory().path();
    try {
      return Link.create(directory, core().context().randomLong());
    } catch (IOException e) {
      throw new IOException(e.getMessage() + "; " + ShmAvailability.remedy(e, directory), e);
    }
  }

  private void retryLater(DomainSockets.Full full) {
    if (core().context().nowNanos() - giveUpNanos >= 0) {
      fail(full);
    } else {
      // Rare and at different times, because hundreds of processes may wait for a place.
      long pause = MIN_PAUSE_NANOS << Math.min(refusals++, MAX_DOUBLINGS);
      long jitter = Math.floorMod(core().context().randomLong(), pause);
      core().context().socketLoop().schedule(this::startAgain, pause + jitter);
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
      to.onConnectFailed(attempt, failure());
    }
    return 1;
  }
}
