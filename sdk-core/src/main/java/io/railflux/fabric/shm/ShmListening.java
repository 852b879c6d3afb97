package io.railflux.fabric.shm;

import io.railflux.fabric.Fabric;
import io.railflux.fabric.FabricListener;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** An open listening point: a socket in the fabric's directory and a name that leads there. */
final class ShmListening implements Fabric.Listening {

  private static final Logger LOG = LoggerFactory.getLogger(ShmListening.class);
  private static final int BACKLOG = 128;
  private static final int MAX_ACCEPTS_A_TURN = 16;

  private final Handshakes handshakes;
  private final FabricListener listener;
  private final String location;
  private final ServerSocketChannel server;
  private final Path socket;
  private NameClaim claim;
  private boolean troubleLogged;

  private ShmListening(
      ShmCore core, Handshakes handshakes, FabricListener listener, String location)
      throws IOException {
    this.handshakes = handshakes;
    this.listener = listener;
    this.location = location;
    this.socket = ShmLocation.fitting(core.directory().nextSocket());
    this.server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
  }

  static ShmListening open(
      ShmCore core, Handshakes handshakes, FabricListener listener, String location)
      throws IOException {
    Path name = ShmLocation.resolve(core.user(), location);
    ShmListening listening = new ShmListening(core, handshakes, listener, location);
    try {
      listening.server.configureBlocking(false);
      listening.server.bind(UnixDomainSocketAddress.of(listening.socket), BACKLOG);
      listening.claim = NameClaim.take(core.user(), name, listening.socket);
      core.context().watch(listening.server, listening::onAcceptable);
      return listening;
    } catch (IOException | RuntimeException e) {
      listening.close();
      throw e;
    }
  }

  @Override
  public String location() {
    return location;
  }

  @Override
  public void close() {
    try (server) {
      if (claim != null) {
        claim.release();
      }
      Files.deleteIfExists(socket);
    } catch (IOException e) {
      LOG.warn("cannot remove the name of shm:{}: {}", location, e.getMessage());
    }
  }

  private void onAcceptable() {
    try {
      for (int i = 0; i < MAX_ACCEPTS_A_TURN && server.isOpen(); i++) {
        SocketChannel channel = server.accept();
        if (channel == null) {
          return;
        }
        handshakes.accept(channel, listener);
      }
    } catch (IOException e) {
      // For instance no file descriptors left; the next turn tries again.
      if (!troubleLogged) {
        troubleLogged = true;
        LOG.warn("cannot accept connections at shm:{}: {}", location, e.getMessage());
      }
    }
  }
}
