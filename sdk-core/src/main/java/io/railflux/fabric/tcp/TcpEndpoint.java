package io.railflux.fabric.tcp;

import io.railflux.exceptions.FabricUnavailableException;
import io.railflux.fabric.Access;
import io.railflux.fabric.CompletionStatus;
import io.railflux.fabric.Endpoint;
import io.railflux.fabric.EndpointState;
import io.railflux.fabric.ExposedRegion;
import io.railflux.fabric.FabricListener;
import io.railflux.fabric.LocalMemory;
import io.railflux.fabric.PostResult;
import io.railflux.fabric.Protection;
import io.railflux.fabric.RemoteRegion;
import io.railflux.fabric.WorkRequest;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * One side of a connection. What the peer sends takes effect while the engine's loop runs; callbacks
 * come from {@link #poll} only.
 */
final class TcpEndpoint implements Endpoint {

  /** So much is worth a system call, and the other side's waking up. */
  static final int HELD_BYTES = 512 * 1024;

  /** Small messages take many cycles to become much, and who reads them has nothing to do meanwhile. */
  static final int MOST_HELD_POLLS = 8;

  private final long id;
  private final TcpCore core;
  private final TcpConnection connection;
  private final FabricListener listener;
  private final TcpRegions regions = new TcpRegions();
  private final ReceiveQueue receives = new ReceiveQueue(TcpFabric.QUEUE_DEPTH);
  private final Requester requester;
  private final Responder responder;
  private final FrameReader reader;
  private final FrameWriter writer;

  private EndpointState state = EndpointState.READY;
  private String failure;
  private boolean failureTold;
  private boolean replyGoesFirst;
  private boolean acknowledgementDue;
  private boolean moreFollows;
  private int heldPolls;

  TcpEndpoint(TcpCore core, TcpConnection connection, FabricListener listener) {
    this.id = core.nextEndpointId();
    this.core = core;
    this.connection = connection;
    this.listener = listener;
    this.writer = new FrameWriter(connection.channel(), core.outgoing(), connection.isEncrypted());
    this.requester = new Requester(this, writer, TcpFabric.QUEUE_DEPTH);
    this.responder = new Responder(this, requester, regions, receives);
    this.reader = new FrameReader(responder);
  }

  @Override
  public long id() {
    return id;
  }

  @Override
  public EndpointState state() {
    return state;
  }

  @Override
  public String remoteDescription() {
    return connection.remoteDescription();
  }

  @Override
  public String remoteHost() {
    return connection.remoteHost();
  }

  @Override
  public Protection protection() {
    return connection.protection();
  }

  String failure() {
    return failure;
  }

  FrameReader reader() {
    return reader;
  }

  @Override
  public ExposedRegion expose(int lengthBytes, Access access) {
    if (state != EndpointState.READY) {
      throw new FabricUnavailableException(
          TcpFabricProvider.NAME, "the endpoint is " + state, "connect to the peer again");
    }
    if (lengthBytes < 1) {
      throw new IllegalArgumentException("cannot expose " + lengthBytes + " bytes");
    }
    ByteBuffer memory = allocate(lengthBytes);
    return regions.expose(memory, core.context().randomLong(), access);
  }

  @Override
  public ExposedRegion expose(ByteBuffer memory, Access access) {
    if (state != EndpointState.READY) {
      throw new IllegalStateException("the endpoint is " + state);
    }
    if (!memory.isDirect() || (memory.isReadOnly() && access.allowsWrite())) {
      throw new IllegalArgumentException("cannot expose " + memory + " for " + access);
    }
    return regions.expose(memory, core.context().randomLong(), access);
  }

  private static ByteBuffer allocate(int lengthBytes) {
    try {
      return ByteBuffer.allocateDirect(lengthBytes).order(ByteOrder.LITTLE_ENDIAN);
    } catch (OutOfMemoryError e) {
      throw new FabricUnavailableException(
          TcpFabricProvider.NAME,
          "no direct memory of " + lengthBytes + " bytes: " + e.getMessage(),
          "raise -XX:MaxDirectMemorySize",
          e);
    }
  }

  @Override
  public RemoteRegion attach(long key, int lengthBytes) {
    return new TcpRemoteRegion(this, key, lengthBytes);
  }

  @Override
  public PostResult post(WorkRequest request) {
    if (state != EndpointState.READY) {
      return PostResult.NOT_READY;
    }
    if (!Requester.supports(request.opcode) || request.addressHandle != null) {
      return PostResult.UNSUPPORTED;
    }
    if (requester.queue().isFull()) {
      return PostResult.QUEUE_FULL;
    }
    requester.post(request);
    if (core.isArmed()) {
      // No poll follows before the sleep.
      pump();
    }
    return PostResult.POSTED;
  }

  @Override
  public PostResult postReceive(long receiveId, LocalMemory memory, int offset, int lengthBytes) {
    if (state != EndpointState.READY) {
      return PostResult.NOT_READY;
    }
    if (receives.isFull()) {
      return PostResult.QUEUE_FULL;
    }
    if (memory instanceof TcpLocalMemory local && local.covers(offset, lengthBytes)) {
      receives.post(receiveId, local, offset, lengthBytes);
      // A message may have waited for it.
      core.wake();
    } else {
      receives.refuse(receiveId);
      fail("receive #" + receiveId + " has no registered memory: "
          + CompletionStatus.LOCAL_PROTECTION);
    }
    return PostResult.POSTED;
  }

  @Override
  public void notifyPeer() {
    moreFollows = false;
    pump();
  }

  @Override
  public void moreFollows() {
    moreFollows = true;
  }

  /** Sends what was posted as far as the connection takes it, and what the peer should hear. */
  void pump() {
    pump(true);
  }

  private void pump(boolean acknowledging) {
    if (state != EndpointState.READY) {
      return;
    }
    boolean awaited = !responder.replies().isEmpty() || responder.isUrgent();
    while (writer.isWritable() && state == EndpointState.READY && sendOne()) {
      // Until there is nothing left, or no room.
    }
    if (state == EndpointState.READY) {
      if (acknowledging) {
        acknowledge();
      }
      if (awaited || !waitsForMore()) {
        writer.flush();
        heldPolls = 0;
      }
      failLocally();
    }
  }

  /** Nothing does before a sleep. */
  private boolean waitsForMore() {
    return moreFollows
        && !core.isArmed()
        && heldPolls < MOST_HELD_POLLS
        && writer.holdsLittle(HELD_BYTES);
  }

  /**
   * What little arrives now is acknowledged with what this cycle posts, which saves a packet wherever there
   * is an answer; else in the next cycle, with what waits for more there, and before a sleep.
   */
  private void pumpInTime() {
    pump(acknowledgementDue || core.isArmed() || responder.isUrgent());
    acknowledgementDue = responder.owes();
  }

  /** Replies and requests take turns; a reply once begun is ended first. */
  private boolean sendOne() {
    Replies replies = responder.replies();
    boolean request = requester.canSend();
    if (replies.isUnfinished() || (!replies.isEmpty() && (replyGoesFirst || !request))) {
      replyGoesFirst = false;
      if (!replies.writePiece(writer)) {
        fail("a region was closed while the peer read it");
        return false;
      }
      return true;
    }
    if (request) {
      requester.sendNext(responder.tell());
      replyGoesFirst = true;
    }
    return request;
  }

  private void acknowledge() {
    // Who writes on and on and reads nothing would fill this side's memory with answers.
    if (responder.owes() && !responder.replies().isUnfinished() && writer.isWritable()) {
      TcpFrame.put(writer.header(), TcpFrame.ACK, 0, 0, responder.tell(), 0, 0, 0);
    }
  }

  private void failLocally() {
    SendQueue.Entry failed = requester.failedLocally();
    if (failed != null) {
      fail(failed.request.opcode + " #" + failed.request.id + " failed: " + failed.failure);
    }
  }

  /** Looks at the socket itself if that pays; returns whether it did. */
  boolean readAtOnce(long nowNanos) {
    return connection.readAtOnce(nowNanos);
  }

  /** Something arrived, perhaps all of it; told by the connection. */
  void onRead() {
    failLocally();
    core.wake();
  }

  /** What waits for a receive may have got one. */
  private void resumeReading() {
    if (reader.isWaiting()) {
      reader.resume();
      if (!reader.isWaiting()) {
        connection.readOn();
      }
    }
  }

  int poll(int limit) {
    if (state == EndpointState.READY) {
      resumeReading();
      heldPolls++;
      pumpInTime();
      moreFollows = false;
    }
    int delivered = tellRequests(limit);
    delivered += tellReceives(limit - delivered);
    if (state == EndpointState.DRAINING) {
      delivered += drain(limit - delivered);
    }
    return delivered;
  }

  private int tellRequests(int limit) {
    int delivered = 0;
    while (state != EndpointState.CLOSED) {
      SendQueue.Entry entry = requester.queue().oldestUntold();
      if (entry == null || isToldAfterTheFailure(entry)) {
        break;
      }
      boolean visible = entry.request.signaled || entry.failure != null;
      if (visible && delivered == limit) {
        break;
      }
      delivered += visible ? 1 : 0;
      tell(entry, visible);
    }
    return delivered;
  }

  /** Why the endpoint failed comes before what failed with it. */
  private boolean isToldAfterTheFailure(SendQueue.Entry entry) {
    return !failureTold
        && (entry.failure == CompletionStatus.FLUSHED
            || entry.failure == CompletionStatus.TRANSPORT_RETRY);
  }

  private void tell(SendQueue.Entry entry, boolean visible) {
    WorkRequest request = entry.request;
    CompletionStatus status = entry.failure == null ? CompletionStatus.SUCCESS : entry.failure;
    core.completion().set(request.id, request.opcode, status, 0, 0);
    requester.queue().told();
    if (visible) {
      listener.onCompletion(this, core.completion());
    }
  }

  private int tellReceives(int limit) {
    int delivered = 0;
    while (delivered < limit && state != EndpointState.CLOSED) {
      ReceiveQueue.Entry entry = receives.oldestUntold();
      if (entry == null) {
        break;
      }
      entry.toCompletion(core.completion());
      receives.told();
      listener.onCompletion(this, core.completion());
      delivered++;
    }
    return delivered;
  }

  private int drain(int limit) {
    int delivered = 0;
    if (!failureTold && limit > 0) {
      failureTold = true;
      receives.flush();
      listener.onError(this, failure);
      delivered++;
    }
    if (failureTold && state == EndpointState.DRAINING) {
      delivered += tellRequests(limit - delivered);
      delivered += tellReceives(limit - delivered);
      if (delivered < limit && state == EndpointState.DRAINING) {
        state = EndpointState.DRAINED;
        delivered++;
        listener.onDrained(this);
      }
    }
    return delivered;
  }

  @Override
  public void fence(String reason) {
    if (end(reason)) {
      connection.abort();
    }
  }

  /** The connection is of no use any more; nothing further is read. */
  void fail(String reason) {
    fence(reason);
  }

  /** The last the peer hears is which of its requests was at fault. */
  void refuse(long index, int code, String reason) {
    if (state == EndpointState.READY && !responder.replies().isUnfinished()) {
      TcpFrame.put(writer.header(), TcpFrame.REFUSED, 0, 0, responder.tell(), index, 0, code);
      writer.flush();
    }
    boolean borrowing = isBorrowing();
    if (!end(reason)) {
      return;
    }
    if (borrowing) {
      connection.abort();
    } else {
      core.closeRefused(connection);
    }
  }

  /**
   * Whether the connection would go on to send memory that its owner has back when this endpoint is gone, and
   * may fill with what is not for this peer. What is encrypted is a copy.
   */
  private boolean isBorrowing() {
    return !connection.isEncrypted() && writer.isUnsent() && requester.borrows();
  }

  /** The connection ended by itself. */
  void connectionLost(String reason) {
    end(reason);
  }

  private boolean end(String reason) {
    if (state != EndpointState.READY) {
      return false;
    }
    state = EndpointState.DRAINING;
    failure = reason;
    release();
    requester.flush();
    core.wake();
    return true;
  }

  private void release() {
    reader.close();
    writer.close();
    regions.revoke();
  }

  @Override
  public void close() {
    if (state == EndpointState.CLOSED) {
      return;
    }
    notifyPeer();
    boolean ready = state == EndpointState.READY;
    state = EndpointState.CLOSED;
    release();
    if (ready && isBorrowing()) {
      connection.abort();
    } else if (ready) {
      connection.closeGently();
    }
  }
}
