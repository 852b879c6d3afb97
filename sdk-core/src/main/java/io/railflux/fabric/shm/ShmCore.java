package io.railflux.fabric.shm;

import io.railflux.exceptions.FabricUnavailableException;
import io.railflux.fabric.Completion;
import io.railflux.fabric.FabricContext;
import java.io.IOException;
import java.nio.file.Path;

/** What the parts of one open fabric share. */
final class ShmCore {

  private final FabricContext context;
  private final UserDirectory user;
  private final ProcessDirectory directory;
  private final PeerUser peerUser;
  private final DomainSockets sockets;
  private final DeadPeers deadPeers;
  private final Completion completion = new Completion();
  private boolean armed;
  private long endpoints;

  private ShmCore(
      FabricContext context, UserDirectory user, ProcessDirectory directory, StaleFiles stale) {
    this.context = context;
    this.user = user;
    this.directory = directory;
    this.peerUser = new PeerUser(user.owner(), user.ownerId());
    this.sockets = new DomainSockets(context.eventLoop());
    this.deadPeers = new DeadPeers(stale);
  }

  static ShmCore open(Path base, FabricContext context) {
    try {
      UserDirectory user = UserDirectory.open(base);
      ProcessIdentity self = ProcessIdentity.current();
      StaleFiles stale = new StaleFiles(user, self);
      stale.sweep();
      return new ShmCore(context, user, ProcessDirectory.create(user, self), stale);
    } catch (IOException e) {
      String remedy = "see that " + base + " has room and lets this user make directories";
      throw new FabricUnavailableException(ShmFabricProvider.NAME, e.getMessage(), remedy, e);
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

  DeadPeers deadPeers() {
    return deadPeers;
  }

  /** The one instance that all callbacks reuse. */
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
   * To be called when something came up that a poll should find; wakes once an arming. Sockets
   * are looked at not only when the engine's sleep ends but also by polls between arming and
   * sleeping, and a doorbell told of there would wake nobody: the caller of arm may have looked at its
   * rings already.
   */
  void wakeIfArmed() {
    if (armed) {
      armed = false;
      context.wakeUp();
    }
  }
}
