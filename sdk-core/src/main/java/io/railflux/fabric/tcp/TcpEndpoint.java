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
import io.railflux.fabric.base.LifeCycle;
import io.railflux.fabric.tcp.frames.FrameReader;
import io.railflux.fabric.tcp.frames.FrameWriter;
import io.railflux.fabric.tcp.frames.TcpFrame;
import io.railflux.fabric.tcp.frames.TcpLocalMemory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

// More than 400 lines: one state machine; requests, receives and the end of a connection share it.
/**
 * One side of a connection. Requests of the peer take effect while the loop of the engine runs; callbacks come from
 * {@link #poll} only.
 */
final class TcpEndpoint implements Endpoint {

  /** Bytes that are worth a system call and a wake-up of the peer. */
  static final int HELD_BYTES = 512 * 1024;

  /** Small messages need many cycles to become many bytes, in which their reader has no work. */
  static final int MAX_HELD_POLLS = 8;

  private final long id;
  private final TcpCore core;
  private final TcpConnection connection;
  private final FabricListener listener;
  private final TcpRegions regions = new TcpRegions();
  private final TcpReceiveQueue receives = new TcpReceiveQueue(TcpFabric.QUEUE_DEPTH);
  private final Requester requester;
  private final TcpResponder responder;
  private final FrameReader reader;
  private final FrameWriter writer;

  private final LifeCycle life = new LifeCycle();
  private boolean corrupted;
  private boolean replyGoesFirst;
  private boolean acknowledgementDue;
  private boolean moreFollows;
  private int heldPolls;

  TcpEndpoint(TcpCore core, TcpConnection connection, FabricListener listener) {
    this.id = core.nextEndpointId();
    this.core = core;
    this.connection = connection;
    this.listener = listener;
    this.writer = new FrameWriter(
        connection.channel(), core.outgoing(), connection.isEncrypted(), connection.newChecksum());
    this.requester = new Requester(this, writer, TcpFabric.QUEUE_DEPTH);
    this.responder = new TcpResponder(this, requester, regions, receives);
    this.reader = new FrameReader(responder, connection.newChecksum());
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
  public String remoteDescription() {
    return connection.remoteDescription();
  }

  @Override
  public String remoteHost() {
    return connection.remoteHost();
  }

  @Override
  public String shortage() {
    return connection.shortage();
  }

  @Override
  public Protection protection() {
    return connection.protection();
  }

  @Override
  public boolean isChecksummed() {
    return connection.isChecksummed();
  }

  String failure() {
    return life.failure();
  }

  FrameReader reader() {
    return reader;
  }

  @Override
  public ExposedRegion expose(int lengthBytes, Access access) {
    life.requireReady();
    if (lengthBytes < 1) {
      throw new IllegalArgumentException("cannot expose " + lengthBytes + " bytes");
    }
    ByteBuffer memory = allocate(lengthBytes);
    return regions.expose(memory, core.context().randomLong(), access);
  }

  @Override
  public ExposedRegion expose(ByteBuffer memory, Access access) {
    life.requireReady();
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
    if (!life.isReady()) {
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
    if (!life.isReady()) {
      return PostResult.NOT_READY;
    }
    if (receives.isFull()) {
      return PostResult.QUEUE_FULL;
    }
    if (memory instanceof TcpLocalMemory local && local.covers(offset, lengthBytes)) {
      receives.post(receiveId, local, offset, lengthBytes);
      // A message may wait for the receive.
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

  /** Sends posted requests and acknowledgements as far as the connection accepts them. */
  void pump() {
    pump(true);
  }

  private void pump(boolean acknowledging) {
    if (!life.isReady()) {
      return;
    }
    boolean awaited = !responder.replies().isEmpty() || responder.isUrgent();
    while (writer.isWritable() && life.isReady() && sendOne()) {
      // Ends without requests or room.
    }
    if (life.isReady()) {
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

  /** No request waits before a sleep. */
  private boolean waitsForMore() {
    return moreFollows
        && !core.isArmed()
        && heldPolls < MAX_HELD_POLLS
        && writer.holdsLittle(HELD_BYTES);
  }

  /**
   * Acknowledges small input together with the requests of this cycle, which saves a packet for each reply. Without
   * such requests the next cycle, or a sleep, acknowledges it.
   */
  private void pumpInTime() {
    pump(acknowledgementDue || core.isArmed() || responder.isUrgent());
    acknowledgementDue = responder.owes();
  }

  /** Replies and requests alternate; a started reply is completed first. */
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
      requester.sendNext(responder.takeUnreported());
      replyGoesFirst = true;
    }
    return request;
  }

  private void acknowledge() {
    // A peer that writes without reading would fill this side's memory with replies.
    if (responder.owes() && !responder.replies().isUnfinished() && writer.isWritable()) {
      writer.header(TcpFrame.ACK, 0, 0, responder.takeUnreported(), 0, 0, 0);
    }
  }

  private void failLocally() {
    TcpSendQueue.Entry failed = requester.failedLocally();
    if (failed != null) {
      fail(failed.request.opcode + " #" + failed.request.id + " failed: " + failed.failure);
    }
  }

  /** Reads the socket directly if that is worthwhile; returns whether it did. */
  boolean readAtOnce(long nowNanos) {
    return connection.readAtOnce(nowNanos);
  }

  /** The connection received bytes. */
  void onRead() {
    failLocally();
    core.wake();
  }

  /** A waiting message may now have a receive. */
  private void resumeReading() {
    if (reader.isWaiting()) {
      reader.resume();
      if (!reader.isWaiting()) {
        connection.readOn();
      }
    }
  }

  int poll(int limit) {
    if (life.isReady()) {
      resumeReading();
      heldPolls++;
      pumpInTime();
      moreFollows = false;
    }
    int delivered = reportRequests(limit);
    delivered += reportReceives(limit - delivered);
    if (life.isDraining()) {
      delivered += drain(limit - delivered);
    }
    return delivered;
  }

  private int reportRequests(int limit) {
    int delivered = 0;
    while (!life.isClosed()) {
      TcpSendQueue.Entry entry = requester.queue().oldestUnreported();
      if (entry == null || isReportedAfterFailure(entry)) {
        break;
      }
      boolean visible = entry.request.signaled || entry.failure != null;
      if (visible && delivered == limit) {
        break;
      }
      delivered += visible ? 1 : 0;
      report(entry, visible);
    }
    return delivered;
  }

  /** The reason of the failure is reported before the requests that fail with it. */
  private boolean isReportedAfterFailure(TcpSendQueue.Entry entry) {
    return !life.isFailureReported()
        && (entry.failure == CompletionStatus.FLUSHED
            || entry.failure == CompletionStatus.TRANSPORT_RETRY);
  }

  private void report(TcpSendQueue.Entry entry, boolean visible) {
    WorkRequest request = entry.request;
    CompletionStatus status = entry.failure == null ? CompletionStatus.SUCCESS : entry.failure;
    core.completion().set(request.id, request.opcode, status, 0, 0);
    requester.queue().reported();
    if (visible) {
      listener.onCompletion(this, core.completion());
    }
  }

  private int reportReceives(int limit) {
    int delivered = 0;
    while (delivered < limit && !life.isClosed()) {
      TcpReceiveQueue.Entry entry = receives.oldestUnreported();
      if (entry == null) {
        break;
      }
      entry.toCompletion(core.completion());
      receives.reported();
      listener.onCompletion(this, core.completion());
      delivered++;
    }
    return delivered;
  }

  private int drain(int limit) {
    int delivered = 0;
    if (limit > 0 && life.claimFailure()) {
      receives.flush();
      if (corrupted) {
        listener.onCorrupted(this);
      }
      listener.onError(this, life.failure());
      delivered++;
    }
    if (life.isFailureReported() && life.isDraining()) {
      delivered += reportRequests(limit - delivered);
      delivered += reportReceives(limit - delivered);
      if (delivered < limit && life.isDraining()) {
        life.drained();
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

  /** Ends the connection; no further bytes are read. */
  void fail(String reason) {
    fence(reason);
  }

  /** Received bytes differ from the sent ones; later bytes may differ too. */
  void corrupted(String what) {
    corrupted = true;
    fail("the checksum of " + what + " from " + remoteDescription()
        + " did not match: bytes changed in transit");
  }

  /** Reports the invalid request to the peer and ends the connection. */
  void refuse(long index, int code, String reason) {
    if (life.isReady() && !responder.replies().isUnfinished() && writer.hasRoom()) {
      writer.header(TcpFrame.REFUSED, 0, 0, responder.takeUnreported(), index, 0, code);
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
   * Whether the connection would still send memory after its owner gets it back and may store data of other peers
   * there. Encrypted bytes are copies.
   */
  private boolean isBorrowing() {
    return !connection.isEncrypted() && writer.isUnsent() && requester.borrows();
  }

  /** The connection was lost. */
  void connectionLost(String reason) {
    end(reason);
  }

  private boolean end(String reason) {
    if (!life.drain(reason)) {
      return false;
    }
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
    if (life.isClosed()) {
      return;
    }
    notifyPeer();
    boolean ready = life.isReady();
    life.close();
    release();
    if (ready && isBorrowing()) {
      connection.abort();
    } else if (ready) {
      connection.closeGently();
    }
  }
}
