package io.railflux.fabric.shm;

import io.netty.channel.Channel;
import io.railflux.fabric.Fabric;
import io.railflux.fabric.FabricListener;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** An open listening point: a socket in the fabric's directory and a name that leads there. */
final class ShmListening implements Fabric.Listening {

  private static final Logger LOG = LoggerFactory.getLogger(ShmListening.class);

  private final Handshakes handshakes;
  private final FabricListener listener;
  private final String location;
  private final Path socket;
  private Channel server;
  private NameClaim claim;
  private boolean troubleLogged;

  private ShmListening(
      ShmCore core, Handshakes handshakes, FabricListener listener, String location)
      throws IOException {
    this.handshakes = handshakes;
    this.listener = listener;
    this.location = location;
    this.socket = ShmLocation.fitting(core.directory().nextSocket());
  }

  static ShmListening open(
      ShmCore core, Handshakes handshakes, FabricListener listener, String location)
      throws IOException {
    Path name = ShmLocation.resolve(core.user(), location);
    ShmListening listening = new ShmListening(core, handshakes, listener, location);
    try {
      listening.server =
          core.sockets().listen(listening.socket, listening::onAccepted, listening::onTrouble);
      listening.claim = NameClaim.take(core.user(), name, listening.socket);
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
    if (server != null) {
      DomainSockets.close(server);
    }
    try {
      Files.deleteIfExists(socket);
      if (claim != null) {
        claim.release();
      }
    } catch (IOException e) {
      LOG.warn("cannot remove the name of shm:{}: {}", location, e.getMessage());
    }
  }

  private void onAccepted(Channel channel) {
    handshakes.accept(channel, listener);
  }

  private void onTrouble(Throwable cause) {
    if (!troubleLogged) {
      troubleLogged = true;
      LOG.warn("cannot accept connections at shm:{}: {}", location, cause.getMessage());
    }
  }
}
