package io.railflux.fabric.shm;

import io.railflux.fabric.Access;
import io.railflux.fabric.Completion;
import io.railflux.fabric.CompletionStatus;
import io.railflux.fabric.Endpoint;
import io.railflux.fabric.EndpointState;
import io.railflux.fabric.ExposedRegion;
import io.railflux.fabric.FabricListener;
import io.railflux.fabric.LocalMemory;
import io.railflux.fabric.Opcode;
import io.railflux.fabric.PostResult;
import io.railflux.fabric.Protection;
import io.railflux.fabric.RemoteAccessException;
import io.railflux.fabric.RemoteRegion;
import io.railflux.fabric.WorkRequest;
import io.railflux.fabric.base.LifeCycle;
import io.railflux.fabric.shm.files.ProcessIdentity;
import io.railflux.fabric.shm.memory.CompletionRing;
import io.railflux.fabric.shm.memory.Inbox;
import io.railflux.fabric.shm.memory.MailboxReader;
import io.railflux.fabric.shm.memory.MailboxWriter;
import io.railflux.fabric.shm.memory.ShmLane;
import io.railflux.fabric.shm.memory.WakeWord;
import io.railflux.fabric.shm.socket.LinkSocket;

/**
 * One side of a link.
 *
 * <p>Any callback may close the endpoint, which unmaps the link. The state is therefore checked after each callback,
 * before any access to the link.
 */
final class ShmEndpoint implements Endpoint {

  static final int QUEUE_DEPTH = 256;

  private final long id;
  private final ShmCore core;
  private final Link link;
  private final LinkSocket socket;
  private final ProcessIdentity peer;
  private final FabricListener listener;
  private final ShmRegions regions;
  private final Transfers transfers;
  private final Inbox inbox;
  private final WakeWord ownSleep;
  private final WakeWord peerSleep;
  private final CompletionRing completions = new CompletionRing(QUEUE_DEPTH);
  private final LifeCycle life = new LifeCycle();
  private boolean peerGone;

  ShmEndpoint(
      ShmCore core, Link link, LinkSocket socket, ProcessIdentity peer, FabricListener listener) {
    this.id = core.nextEndpointId();
    this.core = core;
    this.link = link;
    this.socket = socket;
    this.peer = peer;
    this.listener = listener;
    regions = new ShmRegions(
        core.context(),
        link,
        core.directory().path(),
        core.user().path().resolve(peer.directoryName()));
    transfers = new Transfers(regions, new MailboxWriter(link.outgoing()));
    inbox = new Inbox(new MailboxReader(link.incoming()), QUEUE_DEPTH);
    ownSleep = link.incoming().sleeping();
    peerSleep = link.outgoing().sleeping();
  }

  @Override
  public long id() {
    return id;
  }

  @Override
  public EndpointState state() {
    return life.state();
  }

  @Override
  public boolean peerGone() {
    noteEnd();
    return peerGone;
  }

  @Override
  public String remoteDescription() {
    return "process " + peer.pid() + " of user " + core.user().owner().getName() + " on this host";
  }

  @Override
  public Protection protection() {
    return Protection.SAME_HOST;
  }

  @Override
  public ExposedRegion expose(int lengthBytes, Access access) {
    life.requireReady();
    return regions.expose(lengthBytes, access);
  }

  @Override
  public RemoteRegion attach(long key, int lengthBytes) throws RemoteAccessException {
    if (!life.isReady()) {
      throw new RemoteAccessException("the endpoint is " + life.state());
    }
    return regions.attach(key, lengthBytes);
  }

  @Override
  public PostResult post(WorkRequest request) {
    if (!life.isReady()) {
      return PostResult.NOT_READY;
    }
    Opcode opcode = request.opcode;
    if (!Transfers.supports(opcode) || request.addressHandle != null) {
      return PostResult.UNSUPPORTED;
    }
    // Unsignaled requests need no place unless they fail.
    CompletionStatus status = completions.isFull() ? null : transfers.run(request);
    if (status == null) {
      return PostResult.QUEUE_FULL;
    }
    if (request.signaled || status != CompletionStatus.SUCCESS) {
      complete(request.id, opcode, status);
    }
    if (request.solicited || Transfers.consumesReceive(opcode)) {
      notifyPeer();
    }
    return PostResult.POSTED;
  }

  @Override
  public PostResult postReceive(long receiveId, LocalMemory memory, int offset, int lengthBytes) {
    if (!life.isReady()) {
      return PostResult.NOT_READY;
    }
    if (inbox.isFull() || completions.isFull()) {
      return PostResult.QUEUE_FULL;
    }
    if (inbox.post(receiveId, memory, offset, lengthBytes)) {
      // An entry may wait for the receive.
      core.wakeIfArmed();
    } else {
      complete(receiveId, Opcode.RECEIVE, CompletionStatus.LOCAL_PROTECTION);
    }
    return PostResult.POSTED;
  }

  @Override
  public void notifyPeer() {
    if (life.isReady() && peerSleep.claim()) {
      socket.ring();
    }
  }

  @Override
  public void fence(String reason) {
    fail(reason);
  }

  @Override
  public void close() {
    if (life.isClosed()) {
      return;
    }
    noteEnd();
    link.outgoing().close(ShmLane.CLOSED);
    life.close();
    regions.close();
    link.release();
    socket.close();
  }

  /** The peer rang, or is gone. */
  void onBell() {
    if (!life.isClosed()) {
      noteEnd();
      core.wakeIfArmed();
    }
  }

  /** Requests a doorbell; the caller issues a full fence after the last endpoint. */
  void arm() {
    if (life.isReady()) {
      socket.makeRoom(ownSleep.asked() + transfers.asked());
      ownSleep.set();
    }
  }

  void disarm() {
    if (life.isReady()) {
      ownSleep.clear();
    }
  }

  int poll(int limit) {
    int delivered = 0;
    while (delivered < limit && !life.isClosed() && !completions.isEmpty()) {
      listener.onCompletion(this, completions.remove(core.completion()));
      delivered++;
    }
    if (life.isReady()) {
      delivered += receive(limit - delivered);
    }
    if (life.isDraining() && completions.isEmpty()) {
      delivered += drain(limit - delivered);
    }
    return delivered;
  }

  private int receive(int limit) {
    // Read before the mailbox, so that entries from before the close or death are still found.
    boolean gone = socket.ended() || link.incoming().closed() != ShmLane.OPEN;
    int delivered = 0;
    while (delivered < limit && life.isReady() && receiveOne()) {
      delivered++;
    }
    if (life.isReady()) {
      if (delivered > 0 && inbox.claimStarved()) {
        socket.ring();
      }
      if (gone && delivered < limit) {
        peerLeft();
      }
    }
    return delivered;
  }

  private boolean receiveOne() {
    if (inbox.isEmpty()) {
      return false;
    }
    Completion completion = core.completion();
    MailboxReader.Found found = inbox.take(completion);
    if (found == MailboxReader.Found.GARBAGE) {
      fail("protocol violation: process " + peer.pid() + " wrote malformed data into the mailbox");
    }
    if (found != MailboxReader.Found.ENTRY) {
      return false;
    }
    if (!completion.succeeded()) {
      fail("a message did not fit its receive: " + completion);
    }
    listener.onCompletion(this, completion);
    return true;
  }

  private int drain(int limit) {
    int delivered = 0;
    if (limit > 0 && life.claimFailure()) {
      listener.onError(this, life.failure());
      delivered++;
    }
    while (delivered < limit && life.isDraining()) {
      delivered++;
      if (inbox.isEmpty()) {
        life.drained();
        listener.onDrained(this);
      } else {
        listener.onCompletion(this, inbox.flush(core.completion()));
      }
    }
    return delivered;
  }

  private void complete(long requestId, Opcode opcode, CompletionStatus status) {
    completions.add(requestId, opcode, status);
    core.wakeIfArmed();
    if (status != CompletionStatus.SUCCESS) {
      fail(opcode + " #" + requestId + " failed: " + status);
    }
  }

  private void peerLeft() {
    noteEnd();
    int how = link.incoming().closed();
    String did = how == ShmLane.FENCED ? " fenced the endpoint" : " closed the connection";
    fail("peer process " + peer.pid() + (peerGone ? " ended" : did));
  }

  /** A live process announces the end in the link before it closes its socket. */
  private void noteEnd() {
    if (!peerGone
        && !life.isClosed()
        && socket.ended()
        && link.incoming().closed() != ShmLane.CLOSED) {
      peerGone = true;
      core.deadPeers().suspect(peer, core.context().nowNanos());
    }
  }

  private void fail(String reason) {
    if (!life.drain(reason)) {
      return;
    }
    regions.revokeAll();
    // Release: a peer that sees the word also sees the revoked keys.
    link.outgoing().close(ShmLane.FENCED);
    socket.ring();
    core.wakeIfArmed();
  }
}
