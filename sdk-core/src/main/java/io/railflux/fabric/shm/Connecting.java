package io.railflux.fabric.shm;

import io.railflux.fabric.FabricListener;
import java.io.IOException;
import java.net.ConnectException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;

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

  /** Connects; the socket of this host answers at once or never. */
  void start() {
    try {
      begin(connect(ShmLocation.resolve(core().user(), location)));
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

  private static SocketChannel connect(Path path) throws IOException {
    SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
    try {
      channel.configureBlocking(false);
      if (!channel.connect(UnixDomainSocketAddress.of(path))) {
        throw new IOException("the listener has more connections waiting than it takes; try again");
      }
      return channel;
    } catch (IOException e) {
      channel.close();
      if (e instanceof ConnectException || !Files.exists(path)) {
        throw new IOException("no process listens there (" + path + ")", e);
      }
      throw e;
    }
  }
}
