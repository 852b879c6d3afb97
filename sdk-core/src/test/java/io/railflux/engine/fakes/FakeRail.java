package io.railflux.engine.fakes;

import io.railflux.engine.RingMemory;
import io.railflux.engine.base.EngineContext;
import io.railflux.engine.base.ProtocolViolation;
import io.railflux.engine.base.Rail;
import io.railflux.engine.path.BulkLane;
import io.railflux.engine.path.PeerRing;
import io.railflux.engine.path.Subchannel;
import io.railflux.engine.ring.CongestionWindow;
import io.railflux.engine.ring.IncomingRing;
import io.railflux.engine.ring.MappedRingWriter;
import io.railflux.engine.ring.OutgoingRing;
import io.railflux.engine.ring.PostedRingWriter;
import io.railflux.engine.ring.RingWriter;
import io.railflux.fabric.Access;
import io.railflux.fabric.Capabilities;
import io.railflux.fabric.ExposedRegion;
import io.railflux.fabric.LocalMemory;
import io.railflux.fabric.RemoteAccessException;
import io.railflux.fabric.RemoteRegion;
import io.railflux.policy.ChannelKind;
import io.railflux.wire.ControlWords;
import io.railflux.wire.FrameHeader;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** A subchannel whose rings are memory of the test. The test acts as the peer. */
public final class FakeRail {

  public final FakeFabric fabric;
  public final FakeEndpoint endpoint;
  public final Rail rail;
  public final Subchannel subchannel;

  private final EngineContext engine;
  private final ExposedRegion words;
  private final ByteBuffer peerRing;
  private final IncomingRing readByPeer;
  private final MappedRingWriter writtenByPeer;
  private RemoteRegion peerWords;
  private ByteBuffer peerWordsMemory;

  /** Creates a rail to the host {@code far}. */
  public FakeRail(EngineContext engine, Capabilities capabilities, int id, int ringBytes) {
    this(engine, capabilities, id, ringBytes, false);
  }

  /** @param further whether another rail carries the messages */
  public FakeRail(
      EngineContext engine, Capabilities capabilities, int id, int ringBytes, boolean further) {
    this.engine = engine;
    fabric = new FakeFabric(capabilities);
    endpoint = new FakeEndpoint(capabilities);
    rail = new Rail(id, fabric);
    ExposedRegion ring = endpoint.expose(ringBytes, Access.REMOTE_WRITE);
    words = endpoint.expose(ControlWords.BYTES, Access.REMOTE_WRITE);
    LocalMemory scratch = capabilities.mapped()
        ? null
        : fabric.register(RingMemory.of(PostedRingWriter.scratchBytes(capabilities)));
    Subchannel.Memory memory =
        new Subchannel.Memory(ring, words, scratch, engine.sessionMemory().handshake(rail), null);
    subchannel = new Subchannel(
        id, further, ChannelKind.DEDICATED_RING, rail, endpoint, memory, null, engine.nowNanos());
    peerRing = RingMemory.of(ringBytes);
    readByPeer = new IncomingRing(peerRing, ringBytes, !capabilities.orderedPlacement());
    endpoint.onAnnounced = readByPeer::announce;
    writtenByPeer = new MappedRingWriter(
        new OutgoingRing(ringBytes), ring.memory(), RingMemory.of(ControlWords.BYTES));
  }

  /**
   * Attaches this side to the rings of the peer.
   *
   * @param log memory from which frames are posted; unused if the peer's ring is mapped
   */
  public void attach(ByteBuffer log, long firstPsn) {
    CongestionWindow pace = pace();
    subchannel.attach(
        peerRing(log, pace),
        new BulkLane(subchannel, engine.config().large().pieces(), engine::nowNanos, pace, pace()),
        null,
        firstPsn);
  }

  private CongestionWindow pace() {
    return new CongestionWindow(engine::nowNanos, engine.config().timing().controlWaitNanos());
  }

  private PeerRing peerRing(ByteBuffer log, CongestionWindow pace) {
    Capabilities capabilities = fabric.capabilities();
    OutgoingRing outgoing = new OutgoingRing(peerRing.capacity());
    peerWordsMemory = RingMemory.of(ControlWords.BYTES);
    if (capabilities.mapped()) {
      return ring(new MappedRingWriter(outgoing, peerRing, peerWordsMemory), null, null);
    }
    peerWords = attach(peerWordsMemory);
    LocalMemory source = fabric.register(log);
    RemoteRegion region = attach(peerRing);
    PostedRingWriter.Targets targets =
        new PostedRingWriter.Targets(source, subchannel.memory.scratch(), region, peerWords);
    return ring(
        new PostedRingWriter(outgoing, endpoint, targets, capabilities, pace), region, source);
  }

  private static PeerRing ring(RingWriter writer, RemoteRegion region, LocalMemory source) {
    return new PeerRing(writer, region, source, ChannelKind.DEDICATED_RING);
  }

  private RemoteRegion attach(ByteBuffer memory) {
    try {
      return endpoint.attach(endpoint.peerExposes(memory), memory.capacity());
    } catch (RemoteAccessException e) {
      throw new AssertionError(e);
    }
  }

  /** Returns the frames since the last call. {@link #credit} frees their space. */
  public List<SentFrame> sent() {
    subchannel.writer().flush();
    List<SentFrame> frames = new ArrayList<>();
    try {
      readByPeer.poll(
          frame -> {
            frames.add(SentFrame.of(frame));
            return true;
          },
          Integer.MAX_VALUE);
    } catch (ProtocolViolation e) {
      throw new AssertionError(e);
    }
    return frames;
  }

  /** Returns the credit of the read frames. */
  public void credit() {
    subchannel.writer().ring().credit(readByPeer.consumed());
  }

  /** Returns the peer's position in its ring. */
  public long readByPeer() {
    return readByPeer.consumed();
  }

  /** Writes the peer's positions into the words of this side. */
  public void peerTells(long credit, long ack) {
    ControlWords.store(words.memory(), ControlWords.CREDIT_OFFSET, credit);
    ControlWords.store(words.memory(), ControlWords.ACK_OFFSET, ack);
  }

  /** Returns the credit that this side reported to the peer. */
  public long reportedCredit() {
    return ControlWords.load(peerWordsMemory, ControlWords.CREDIT_OFFSET);
  }

  public long reportedAck() {
    return ControlWords.load(peerWordsMemory, ControlWords.ACK_OFFSET);
  }

  /** Completes all pending requests, oldest first. */
  public void complete() {
    for (FakeEndpoint.Posted request = endpoint.posted.poll();
        request != null;
        request = endpoint.posted.poll()) {
      completed(request);
    }
  }

  /** Completes the oldest pending request. */
  public void completeOne() {
    completed(endpoint.posted.remove());
  }

  private void completed(FakeEndpoint.Posted request) {
    if (!request.signaled()) {
      return;
    }
    if (BulkLane.isBulk(request.id())) {
      subchannel.lane().completed(request.id());
    } else {
      subchannel.writer().completed(request.id());
    }
  }

  /** Writes a frame of the peer into the ring of this side. */
  public void arrives(int type, int flags, long psn, long streamId, long streamSeq, byte[] body) {
    int length = FrameHeader.BYTES + body.length;
    int offset = writtenByPeer.place(FrameHeader.slotBytes(length));
    FrameHeader.put(writtenByPeer.mapped(), offset, psn, streamId, streamSeq);
    writtenByPeer.mapped().put(offset + FrameHeader.BYTES, body);
    writtenByPeer.publish(
        writtenByPeer.mapped(), offset, FrameHeader.word(length, type, flags, FrameHeader.BYTES));
  }
}
