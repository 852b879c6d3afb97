package io.railflux.fabric.shm;

import io.railflux.buffer.MappedMemory;
import io.railflux.buffer.OpenFiles;
import io.railflux.exceptions.FabricUnavailableException;
import io.railflux.fabric.Completion;
import io.railflux.fabric.FabricContext;
import io.railflux.fabric.shm.files.DeadPeers;
import io.railflux.fabric.shm.files.ProcessDirectory;
import io.railflux.fabric.shm.files.ProcessIdentity;
import io.railflux.fabric.shm.files.StaleFiles;
import io.railflux.fabric.shm.files.UserDirectory;
import io.railflux.fabric.shm.socket.DomainSockets;
import io.railflux.fabric.shm.socket.HandshakeMessage;
import io.railflux.fabric.shm.socket.PeerUser;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;

/** Shared state of one open fabric. */
final class ShmCore {

  private final FabricContext context;
  private final UserDirectory user;
  private final ProcessDirectory directory;
  private final PeerUser peerUser;
  private final DomainSockets sockets;
  private final DeadPeers deadPeers;
  private final Completion completion = new Completion();
  private final ByteBuffer message =
      ByteBuffer.allocateDirect(HandshakeMessage.BYTES).order(ByteOrder.LITTLE_ENDIAN);
  private boolean armed;
  private long endpoints;

  private ShmCore(
      FabricContext context, UserDirectory user, ProcessDirectory directory, StaleFiles stale) {
    this.context = context;
    this.user = user;
    this.directory = directory;
    this.peerUser = new PeerUser(user.owner(), user.ownerId());
    this.sockets = DomainSockets.of(context.socketLoop());
    this.deadPeers = new DeadPeers(stale);
  }

  static ShmCore open(Path base, FabricContext context) {
    try {
      UserDirectory user = UserDirectory.open(base);
      ProcessIdentity self = ProcessIdentity.current();
      StaleFiles stale = new StaleFiles(user, self);
      stale.sweep();
      return in(ProcessDirectory.create(user, self), user, stale, context);
    } catch (IOException e) {
      String remedy = OpenFiles.areTooMany(e)
          ? OpenFiles.SHORTAGE
          : "see that " + base + " has room and lets this user make directories";
      throw new FabricUnavailableException(ShmFabricProvider.NAME, e.getMessage(), remedy, e);
    }
  }

  private static ShmCore in(
      ProcessDirectory directory, UserDirectory user, StaleFiles stale, FabricContext context)
      throws IOException {
    try {
      MappedMemory.prepare();
      return new ShmCore(context, user, directory, stale);
    } catch (OutOfMemoryError e) {
      directory.close();
      throw new FabricUnavailableException(
          ShmFabricProvider.NAME,
          "no direct memory for its buffers: " + e.getMessage(),
          "raise -XX:MaxDirectMemorySize",
          e);
    }
  }

  FabricContext context() {
    return context;
  }

  UserDirectory user() {
    return user;
  }

  ProcessDirectory directory() {
    return directory;
  }

  PeerUser peerUser() {
    return peerUser;
  }

  DomainSockets sockets() {
    return sockets;
  }

  /** Returns the buffer for handshake messages, so that a connection needs no memory. */
  ByteBuffer message() {
    return message;
  }

  DeadPeers deadPeers() {
    return deadPeers;
  }

  /** Returns the completion that all callbacks reuse. */
  Completion completion() {
    return completion;
  }

  long nextEndpointId() {
    return ++endpoints;
  }

  boolean armed() {
    return armed;
  }

  void armed(boolean now) {
    armed = now;
  }

  /**
   * Called for an event that a poll should find; wakes the engine once per arming. Polls between arming and sleeping
   * read sockets too. The caller of arm may already have polled its rings, so a doorbell that such a poll reads must
   * wake the engine.
   */
  void wakeIfArmed() {
    if (armed) {
      armed = false;
      context.wakeUp();
    }
  }
}
