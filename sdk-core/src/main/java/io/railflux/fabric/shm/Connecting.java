package io.railflux.fabric.shm;

import io.railflux.fabric.FabricListener;
import java.io.IOException;

/** Connecting side: makes the link, says HELLO, waits for the answer. */
final class Connecting extends Handshake {

  private final long attempt;
  private final String location;
  private Link link;

  Connecting(ShmCore core, FabricListener listener, String location, long attempt) {
    super(core, listener);
    this.location = location;
    this.attempt = attempt;
  }

  void start() {
    try {
      begin(core().sockets().connect(ShmLocation.resolve(core().user(), location)));
      link = Link.create(core().directory().path(), core().context().randomLong());
      socket().send(HandshakeMessage.hello(core().directory().identity(), link.nonce()));
    } catch (IOException e) {
      fail(e);
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
