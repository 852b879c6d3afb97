package io.railflux.fabric.shm;

import io.railflux.buffer.OpenFiles;
import io.railflux.fabric.FabricListener;
import io.railflux.fabric.shm.socket.HandshakeException;
import io.railflux.fabric.shm.socket.HandshakeMessage;
import io.railflux.fabric.shm.socket.Refusal;
import java.io.IOException;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Accepting side of a handshake: receives HELLO, maps the link, replies. */
final class Accepting extends ShmHandshake {

  private static final Logger LOG = LoggerFactory.getLogger(Accepting.class);

  Accepting(ShmCore core, FabricListener listener) {
    super(core, listener);
  }

  @Override
  void onMessage(HandshakeMessage message) throws IOException {
    message.expect(HandshakeMessage.HELLO);
    // The path consists of numbers, so input of the peer cannot lead out of the user's directory.
    Path directory = core().user().path().resolve(message.sender().directoryName());
    Link link = openLink(directory, message.nonce());
    try {
      send(HandshakeMessage.welcome(core().directory().identity(), message.nonce()));
    } catch (IOException e) {
      link.release();
      throw e;
    }
    succeed(link, message.sender());
  }

  @Override
  void onFailure(IOException cause) {
    // No caller requested this connection, so the failure goes to the log.
    LOG.debug("handshake over shared memory failed: {}", failure());
    if (cause instanceof HandshakeException e && socket() != null && !socket().ended()) {
      send(e.refusal());
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
      boolean files = OpenFiles.areTooMany(e);
      throw new HandshakeException(files ? Refusal.NO_FILES : Refusal.NO_LINK, e.toString());
    }
  }

  private void send(Refusal refusal) {
    try {
      send(HandshakeMessage.refuse(core().directory().identity(), refusal));
    } catch (IOException e) {
      LOG.debug("refusal could not be sent: {}", e.getMessage());
    }
  }
}
