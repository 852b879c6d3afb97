package io.railflux.fabric.shm;

import io.railflux.buffer.OpenFiles;
import io.railflux.fabric.Fabric;
import io.railflux.fabric.FabricListener;
import io.railflux.fabric.shm.files.NameClaim;
import io.railflux.fabric.shm.files.ShmLocation;
import io.railflux.fabric.shm.socket.DomainSockets;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** An open listener: a socket in the directory of the fabric, and a name that links to it. */
final class ShmListening implements Fabric.Listening {

  private static final Logger LOG = LoggerFactory.getLogger(ShmListening.class);

  private final OpenFiles files = new OpenFiles();
  private final ShmHandshakes handshakes;
  private final FabricListener listener;
  private final String location;
  private final Path socket;
  private Closeable server;
  private NameClaim claim;

  private ShmListening(
      ShmCore core, ShmHandshakes handshakes, FabricListener listener, String location)
      throws IOException {
    this.handshakes = handshakes;
    this.listener = listener;
    this.location = location;
    this.socket = ShmLocation.fitting(core.directory().nextSocket());
  }

  static ShmListening open(
      ShmCore core, ShmHandshakes handshakes, FabricListener listener, String location)
      throws IOException {
    Path name = ShmLocation.resolve(core.user(), location);
    ShmListening listening = new ShmListening(core, handshakes, listener, location);
    try {
      listening.server =
          core.sockets().listen(listening.socket, listening::onAccepted, listening::onTrouble);
      listening.files.keep();
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
    files.close();
    try {
      if (server != null) {
        server.close();
      }
      Files.deleteIfExists(socket);
      if (claim != null) {
        claim.release();
      }
    } catch (IOException e) {
      LOG.warn("cannot remove the name of shm:{}: {}", location, e.getMessage());
    }
  }

  private void onAccepted(DomainSockets.Connected connection) {
    boolean isLast = !files.keep();
    handshakes.accept(connection, listener, isLast);
    files.keep();
  }

  /** Returns whether the next accept may succeed at once. */
  private boolean onTrouble(Throwable cause) {
    boolean tooMany = OpenFiles.areTooMany(cause);
    listener.onShortage("shm:" + location, tooMany ? OpenFiles.SHORTAGE : cause.getMessage());
    return tooMany && files.giveUp();
  }
}
