package io.railflux.engine.rendezvous;

import io.railflux.buffer.PooledBuffer;
import io.railflux.engine.base.EngineContext;
import io.railflux.engine.base.LargeMemory;
import io.railflux.engine.base.LongMap;
import io.railflux.engine.base.ProtocolViolation;
import io.railflux.engine.path.ExposedWindow;
import io.railflux.engine.path.LargeTraffic;
import io.railflux.engine.path.PathRepository;
import io.railflux.engine.path.SessionContext;
import io.railflux.engine.path.Subchannel;
import io.railflux.engine.send.ControlFrame;
import io.railflux.engine.send.ControlQueue;
import io.railflux.engine.send.FrameOwner;
import io.railflux.engine.send.SendPath;
import io.railflux.pipeline.Slot;
import io.railflux.policy.Marker;
import io.railflux.policy.Rendezvous;
import io.railflux.wire.FrameFlags;
import io.railflux.wire.FrameType;
import io.railflux.wire.RendezvousDone;
import io.railflux.wire.RendezvousReply;
import io.railflux.wire.RendezvousStart;
import io.railflux.wire.RendezvousStart.Stripe;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * The outgoing large messages to one peer. Provides memory to encode messages, announces messages to the peer and
 * tracks them until DONE. At most one claim is open at a time. Engine thread only.
 */
public final class RendezvousSends {

  /** A stream that sends large messages. Engine thread only. */
  public interface Sender extends FrameOwner, LargeMemory.Claimant {

    /** Returns whether the stream answers a request. */
    boolean isReply();

    /** Reports that the peer is done with a large message. {@code arrived} is true if the peer has the message. */
    void largeOver(long streamSeq, boolean arrived);
  }

  /** Maximum number of concurrent large messages to one peer; part of the protocol. */
  public static final int MAX_TRANSFERS = 64;

  /** Maximum for one stream, and for all requests together. The bound leaves a share for others. */
  private static final int MAX_TRANSFERS_OF_STREAM = MAX_TRANSFERS / 2;

  /**
   * Concurrent messages of one stream that keep a path busy: one is moved, one is granted, one is encoded and
   * announced.
   */
  private static final int MIN_OF_STREAM = 3;

  /**
   * Maximum bytes of one stream that wait for the transfer of the first message, within a host: about the bytes moved
   * while a process wakes up. Messages that wait longer leave the processor's cache and are copied more slowly.
   */
  private static final int AHEAD_WITHIN_HOST_BYTES = 512 << 10;

  /** The same bound between hosts: about the bytes that 100 Gbit/s transfer in a millisecond. */
  private static final int AHEAD_BYTES = 16 << 20;

  final SessionContext session;
  final EngineContext engine;
  final PathRepository paths;
  final Rendezvous mode;
  final SendPath sendPath;
  final LargeTraffic traffic;
  private final List<Subchannel> live;
  private final LargeMemory sourceMemory;
  private final ControlQueue control;
  private final LongMap<RendezvousSend> transfers = new LongMap<>();
  private final List<RendezvousSend> lingering = new ArrayList<>();

  /** Sends with grants that arrived before their subchannel was live here. */
  private final List<RendezvousSend> early = new ArrayList<>();

  private final ArrayDeque<LargeMemory.Claimant> waiting = new ArrayDeque<>();
  private final Slot slot = new Slot();
  private long lastTransfer;
  private int nextRail;
  private int requests;

  // The open claim: memory of this node, of a window, or of the user.
  private Object claimant;
  private PooledBuffer claimed;
  private ExposedWindow.Source.Place place;
  private ByteBuffer lent;

  RendezvousSends(
      SessionContext session, ControlQueue control, SendPath sendPath, LargeTraffic traffic) {
    this.session = session;
    this.engine = session.engine();
    this.paths = session.paths();
    this.live = session.live();
    this.sourceMemory = engine.sourceMemory();
    this.mode = engine.config().large().mode();
    this.control = control;
    this.sendPath = sendPath;
    this.traffic = traffic;
  }

  /**
   * Claims memory for a large message. The claim must be committed or {@link #drop dropped}.
   *
   * @param others whether the claimant has other messages under way. The claim then waits for their places in the
   *     window: copying would delay the messages behind.
   * @return null if there is no memory now; {@link LargeMemory.Claimant#onMemoryAvailable} announces when to retry
   */
  public Slot claim(LargeMemory.Claimant who, int maxBodyBytes, boolean others) {
    if (!mayClaim(who)) {
      leaveQueue(who);
      return null;
    }
    boolean couldFit = takePlace(maxBodyBytes);
    if (place != null || (couldFit && others)) {
      leaveQueue(who);
      return place == null ? null : claimed(who, place.memory(), place.offset());
    }
    claimed = sourceMemory.take(who, maxBodyBytes);
    if (claimed == null) {
      return null;
    }
    sourceMemory.serve();
    return claimed(who, claimed.memory(), 0);
  }

  private Slot claimed(LargeMemory.Claimant who, ByteBuffer memory, int offset) {
    claimant = who;
    // An earlier codec may have left its limits in the buffer.
    slot.buffer = memory.clear();
    slot.bodyOffset = offset;
    return slot;
  }

  /** Claims a place where the peer can read the message without a copy. Returns whether a place may become free. */
  private boolean takePlace(int bytes) {
    if (!paths.isMapped() || !mode.looksInPlace()) {
      return false;
    }
    boolean couldFit = false;
    for (int i = live.size(); i > 0 && place == null; i--) {
      Subchannel subchannel = nextLive();
      ExposedWindow.Source window = subchannel.lane().sourceWindow();
      // Sealing copies the message in any case.
      if (subchannel.sealing == null && window.fits(bytes)) {
        couldFit = true;
        place = window.take(bytes);
      }
    }
    return couldFit;
  }

  /** Claims memory as {@link #claim} does, for a request. The number of concurrent large requests is bounded. */
  public Slot claimRequest(LargeMemory.Claimant who, int maxBodyBytes) {
    if (requests >= MAX_TRANSFERS_OF_STREAM) {
      leaveQueue(who);
      return null;
    }
    return claim(who, maxBodyBytes, false);
  }

  /**
   * Leaves the queue for memory. The claimant waits for another resource, and claimants behind it must not wait for
   * that resource.
   */
  public void leaveQueue(LargeMemory.Claimant who) {
    sourceMemory.forget(who);
  }

  /** Claims as {@link #claim} does, for an encoded message that stays in the given memory. */
  public Slot lend(LargeMemory.Claimant who, ByteBuffer memory) {
    if (!mayClaim(who)) {
      return null;
    }
    claimant = who;
    lent = memory;
    slot.bodyBytes = memory.remaining();
    return slot;
  }

  /** Returns whether a stream with {@code underWay} large messages should begin a further message of {@code bytes}. */
  public boolean keepsPathBusy(int underWay, int bytes) {
    if (underWay < MIN_OF_STREAM || underWay >= MAX_TRANSFERS_OF_STREAM) {
      return underWay < MIN_OF_STREAM;
    }
    int aheadBytes = paths.isWithinHost() ? AHEAD_WITHIN_HOST_BYTES : AHEAD_BYTES;
    return (long) (underWay - 1) * bytes <= aheadBytes;
  }

  /** Returns whether messages can be sent from the memory. */
  public boolean canLend(ByteBuffer memory) {
    // A rail that joins later could not send from the heap.
    return memory.isDirect() || (paths.isMapped() && !engine.hasPostedRail());
  }

  private boolean mayClaim(LargeMemory.Claimant who) {
    if (slot.encoding || transfers.size() >= MAX_TRANSFERS) {
      if (!waiting.contains(who)) {
        waiting.add(who);
      }
      return false;
    }
    drop(claimant);
    slot.metadata = null;
    slot.timeToLiveNanos = 0;
    return true;
  }

  public boolean isOwn(Slot claimedSlot) {
    return claimedSlot == slot;
  }

  /** Drops the uncommitted claim of {@code who}. */
  public void drop(Object who) {
    if (who == null || who != claimant) {
      return;
    }
    if (claimed != null) {
      claimed.release();
    }
    if (place != null) {
      place.give();
    }
    forgetClaim();
    // Room may have appeared during encoding. No DONE follows for a message that is never sent.
    wakeWaiting();
  }

  private void forgetClaim() {
    claimant = null;
    claimed = null;
    place = null;
    lent = null;
    // The slot outlives its message.
    slot.buffer = null;
  }

  /** Announces the claimed message of a stream to the peer. */
  public RendezvousSend commit(Sender stream, boolean last, long streamSeq) {
    int flags = (stream.isReply() ? FrameFlags.REPLY : 0) | (last ? FrameFlags.LAST : 0);
    RendezvousSend send = new RendezvousSend(this, ++lastTransfer, stream, streamSeq, source());
    start(send, RendezvousStart.MESSAGE, flags, stream.id(), stream.marker());
    return send;
  }

  /** Announces the claimed request to the peer. */
  public void commitRequest(int flags, long streamId, long demand, Marker marker) {
    RendezvousSend send = new RendezvousSend(this, ++lastTransfer, null, demand, source());
    requests++;
    start(send, RendezvousStart.REQUEST, flags, streamId, marker);
  }

  private SourceMemory source() {
    SourceMemory source;
    if (lent != null) {
      source = SourceMemory.ofUser(lent);
    } else if (place != null) {
      source = SourceMemory.ofWindow(place, slot.bodyBytes);
    } else {
      claimed.memory().clear();
      source = SourceMemory.ofNode(claimed, slot.bodyBytes);
    }
    forgetClaim();
    return source;
  }

  private void start(RendezvousSend send, int kind, int flags, long streamId, Marker marker) {
    transfers.put(send.id(), send);
    traffic.begun();
    RendezvousStart start = offer(send, kind, marker);
    ControlFrame frame = new ControlFrame(FrameType.RNDZ_START, flags, streamId, send.streamSeq())
        .body(start.encodedBytes(), start::encode)
        .timeToLive(slot.timeToLiveNanos);
    if (slot.metadata != null) {
      // The frame may have to wait, and the owner reuses the slot's metadata for its next message.
      ByteBuffer copy = ByteBuffer.allocate(slot.metadata.remaining());
      frame.metadata(copy.put(slot.metadata.duplicate()).flip());
      slot.metadata = null;
    }
    control.send(frame);
  }

  private RendezvousStart offer(RendezvousSend send, int kind, Marker marker) {
    if (send.source().place() != null) {
      return send.inPlace(kind);
    }
    int bytes = send.source().lengthBytes();
    List<Stripe> stripes =
        bytes == 0 || paths.isMapped() ? List.of() : sendPath.striper().cut(bytes, marker);
    return send.offer(stripes, reader(stripes), kind);
  }

  /**
   * Returns the subchannel over which the peer may read, or null. One subchannel reads a message; several subchannels
   * write it.
   */
  private Subchannel reader(List<Stripe> stripes) {
    return switch (stripes.size()) {
      case 0 -> nextLive();
      case 1 -> paths.find(stripes.get(0).subchannel());
      default -> null;
    };
  }

  private Subchannel nextLive() {
    int count = live.size();
    return count == 0 ? null : live.get(Math.floorMod(nextRail++, count));
  }

  public void onReply(long transfer, RendezvousReply reply) throws ProtocolViolation {
    RendezvousSend send = transfers.get(transfer);
    if (send == null) {
      requireOver("RNDZ_REPLY", transfer);
      return;
    }
    send.onReply(reply);
    if (send.hasGrants() && !early.contains(send)) {
      early.add(send);
    }
  }

  public void onDone(long transfer, RendezvousDone done) throws ProtocolViolation {
    RendezvousSend send = transfers.remove(transfer);
    if (send == null) {
      requireOver("RNDZ_DONE", transfer);
      return;
    }
    boolean arrived = done.outcome() == RendezvousDone.ARRIVED;
    send.done(arrived, done.readNanos());
    if (!send.isReleased()) {
      lingering.add(send);
    }
    if (send.stream() == null) {
      requests--;
    } else {
      send.stream().largeOver(send.streamSeq(), arrived);
    }
    wakeWaiting();
  }

  private void wakeWaiting() {
    for (int i = waiting.size(); i > 0; i--) {
      waiting.poll().onMemoryAvailable();
    }
  }

  private void requireOver(String what, long transfer) throws ProtocolViolation {
    if (transfer <= 0 || transfer > lastTransfer) {
      throw new ProtocolViolation(what + " for transfer " + transfer + ", which never began");
    }
  }

  /** Abandons the messages of a stream that is over. */
  public void abandon(Sender stream) {
    drop(stream);
    waiting.remove(stream);
    sourceMemory.forget(stream);
    for (RendezvousSend send : transfers.values()) {
      if (send.stream() == stream) {
        send.abandon();
      }
    }
  }

  void work() {
    if (!early.isEmpty()) {
      early.removeIf(RendezvousSend::placeAll);
    }
    if (!lingering.isEmpty()) {
      lingering.removeIf(RendezvousSend::isReleased);
    }
  }

  void lost(Subchannel subchannel) {
    transfers.values().forEach(send -> send.lost(subchannel));
  }

  public int underWay() {
    return transfers.size();
  }

  /** Ends all sends. The channel has ended and its endpoints are closed. */
  void end() {
    drop(claimant);
    transfers.values().forEach(RendezvousSend::end);
    lingering.forEach(RendezvousSend::end);
    transfers.clear();
    lingering.clear();
    early.clear();
    waiting.clear();
  }
}
