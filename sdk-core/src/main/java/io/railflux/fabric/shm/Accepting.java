package io.railflux.fabric.shm;

import io.railflux.fabric.FabricListener;
import java.io.IOException;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Accepting side: waits for HELLO, maps the link, answers. */
final class Accepting extends Handshake {

  private static final Logger LOG = LoggerFactory.getLogger(Accepting.class);

  Accepting(ShmCore core, FabricListener listener) {
    super(core, listener);
  }

  @Override
  void onMessage(HandshakeMessage message) throws IOException {
    message.expect(HandshakeMessage.HELLO);
    // A path made of numbers: nothing the peer sends leads out of the user's directory.
    Path directory = core().user().path().resolve(message.sender().directoryName());
    Link link = openLink(directory, message.nonce());
    try {
      socket().send(HandshakeMessage.welcome(core().directory().identity(), message.nonce()));
    } catch (IOException e) {
      link.release();
      throw e;
    }
    succeed(link, message.sender());
  }

  @Override
  void onFailure(IOException cause) {
    // Nobody here asked for this connection, so the log is the only one to tell.
    LOG.debug("handshake over shared memory failed: {}", failure());
    if (cause instanceof HandshakeException e && socket() != null && !socket().ended()) {
      tell(e.refusal());
    }
  }

  @Override
  int deliver(FabricListener to) {
    if (endpoint() == null) {
      return 0;
    }
    to.onConnected(endpoint(), -1);
    return 1;
  }

  private static Link openLink(Path directory, long nonce) throws HandshakeException {
    try {
      return Link.open(directory, nonce);
    } catch (IOException e) {
      throw new HandshakeException(Refusal.NO_LINK, e.toString());
    }
  }

  private void tell(Refusal refusal) {
    try {
      socket().send(HandshakeMessage.refuse(core().directory().identity(), refusal));
    } catch (IOException e) {
      LOG.debug("refusal could not be sent: {}", e.getMessage());
    }
  }
}
