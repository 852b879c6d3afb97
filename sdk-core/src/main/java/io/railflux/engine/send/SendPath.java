package io.railflux.engine.send;

import io.railflux.engine.base.EngineContext;
import io.railflux.engine.path.Striper;
import io.railflux.engine.path.Subchannel;
import io.railflux.engine.ring.MappedRingWriter;
import io.railflux.engine.ring.RingWriter;
import io.railflux.engine.ring.SendLog;
import io.railflux.exceptions.MessageTooLargeException;
import io.railflux.pipeline.Slot;
import io.railflux.policy.Marker;
import io.railflux.wire.FrameFlags;
import io.railflux.wire.FrameHeader;
import io.railflux.wire.FrameType;
import io.railflux.wire.RendezvousFin;
import java.nio.ByteBuffer;
import java.util.List;

// More than 400 lines: claims, batches and commits are steps of one frame and share its position.
/**
 * Stripe → claim → gather → sequence → post, for all frames with a sequence number. At most one claim is open.
 * Before the next claim, an open claim is posted with its gathered messages, or discarded. While a codec or a
 * source writes into a claim, other claims find no room, because user code may send as well. Engine thread only.
 */
public final class SendPath {

  /**
   * Numbers, ring bytes and log bytes that a frame leaves free for more urgent frames. Control frames find room
   * even after a long time without acknowledgements. When they have exhausted their room, RESUMEs still find some,
   * without which acknowledgements might never resume.
   */
  public enum Reserve {
    MESSAGES(256, 8 << 10),
    CONTROL(32, 4 << 10),
    NONE(0, 0);

    private final int psns;
    private final int bytes;

    Reserve(int psns, int bytes) {
      this.psns = psns;
      this.bytes = bytes;
    }
  }

  /**
   * Bytes that a control frame may wait for at 10 Mbit/s; over two paths of 1 Gbit/s stripes save the cost of a
   * grant.
   */
  private static final int PACED_BYTES = 64 << 10;

  private final List<Subchannel> live;
  private final Striper striper;
  private final SendWindow window;
  private final SendLog log;
  private final long firstPsn;
  private final int eagerLimitBytes;
  private final int pacedLimitBytes;
  private final int maxMessageBytes;
  private final int maxRingBytes;
  private final long maxUnacknowledgedBytes;
  private final ReceiveWindow received;
  private final CreditPatience patience;
  private final Slot slot = new Slot();

  // Attributes of the frames posted since the last takeSoleOwner().
  private FrameOwner soleOwner;
  private boolean posted;

  // The open claim.
  private Subchannel carrier;
  private MappedRingWriter mapped;
  private ByteBuffer frames;
  private int start;
  private int flags;
  private int headerBytes;

  private final BatchBuilder gathering;
  private final int maxGatheredBytes;

  // Whether frames are encoded in mapped rings, as long as no rail could have to post them again.
  private boolean inRings = true;

  // Whether a message ever left the single path within the host. The value stays true, because a
  // sender that waits for memory for a large message keeps waiting.
  private boolean leftOnePath;

  // Known room for messages in the single mapped ring, up to a ring position and a sequence number,
  // which saves most messages the check. It is valid until the rails change: credit and
  // acknowledgements only increase the room, and posts only use it.
  private boolean roomKnown;
  private long roomPosition;
  private long roomPsn;

  // Size of a ring that takes the largest frame for which all rings were too small; 0 without one.
  private int wantedRingBytes;

  // Counted for metrics.
  public long stalls;

  /**
   * Limits that the peer accepts.
   *
   * @param eagerLimitBytes size of the largest message that goes through the ring
   * @param pacedLimitBytes the same limit over several paths, and between hosts
   * @param maxMessageBytes size of the largest message
   * @param maxRingBytes size of the largest ring that the peer grants
   */
  public record Bounds(
      int eagerLimitBytes, int pacedLimitBytes, int maxMessageBytes, int maxRingBytes) {

    public static Bounds of(EngineContext engine, int maxRingBytes, int maxMessageBytes) {
      int eager = Math.min(maxMessageBytes, engine.eagerLimitBytes(maxRingBytes));
      boolean said = engine.config().large().hasEagerLimit();
      int paced = said ? eager : Math.min(eager, PACED_BYTES);
      return new Bounds(eager, paced, maxMessageBytes, maxRingBytes);
    }

    /** Returns the bound of bytes in flight: twice the peer's largest ring. */
    long maxUnacknowledgedBytes() {
      return 2L * maxRingBytes;
    }
  }

  public SendPath(
      List<Subchannel> live,
      Striper striper,
      SendWindow window,
      SendLog log,
      ReceiveWindow received,
      CreditPatience patience,
      Bounds bounds) {
    this.live = live;
    this.striper = striper;
    this.window = window;
    this.log = log;
    this.firstPsn = window.next();
    this.received = received;
    this.patience = patience;
    this.maxMessageBytes = bounds.maxMessageBytes();
    this.eagerLimitBytes = bounds.eagerLimitBytes();
    this.pacedLimitBytes = bounds.pacedLimitBytes();
    this.maxRingBytes = bounds.maxRingBytes();
    this.gathering = new BatchBuilder(slot, eagerLimitBytes);
    this.maxUnacknowledgedBytes = bounds.maxUnacknowledgedBytes();
    this.maxGatheredBytes = BatchBuilder.maxBytes(bounds.maxUnacknowledgedBytes() / 2);
  }

  public int maxMessageBytes() {
    return maxMessageBytes;
  }

  public int eagerLimitBytes() {
    return eagerLimitBytes;
  }

  /** Whether a message of this size goes by rendezvous. Once true for a size, the result stays true. */
  public boolean isLarge(int maxBodyBytes) {
    return maxBodyBytes > pacedLimitBytes && (maxBodyBytes > eagerLimitBytes || leavesOnePath());
  }

  /**
   * Between hosts, a long frame blocks all other frames of this side, and only large messages cause trials of
   * further connections. Several paths share large messages. Sessions over mapped memory alone need neither.
   */
  private boolean leavesOnePath() {
    if (!inRings && !leftOnePath) {
      leftOnePath = live.size() > 1 || (!live.isEmpty() && live.get(0).leadsOut());
    }
    return leftOnePath;
  }

  /** Returns the size of the largest ring that the peer grants. */
  public int maxRingBytes() {
    return maxRingBytes;
  }

  /** Returns the size of a ring that takes the largest frame for which all rings were too small; 0 without one. */
  public int wantedRingBytes() {
    return wantedRingBytes;
  }

  /** Another ring replaced the ring of a subchannel. */
  public void ringChanged() {
    wantedRingBytes = 0;
  }

  /** Records a frame that no ring ever takes: after the padding before the wrap, the reserve has to stay free. */
  private void noteTooLarge(int slotBytes, Reserve reserve) {
    if (live.isEmpty()) {
      return;
    }
    int needed = 2 * slotBytes + reserve.bytes;
    for (int i = 0; i < live.size(); i++) {
      Subchannel subchannel = live.get(i);
      if (!subchannel.further && subchannel.writer().capacityBytes() >= needed) {
        return;
      }
    }
    wantedRingBytes = Math.max(wantedRingBytes, Math.min(needed, maxRingBytes));
  }

  /** Whether the log has this size, or the session needs no log. */
  public boolean isLogOf(int bytes) {
    return log == null || !log.hasMemory() || log.size() == bytes;
  }

  /** Whether a log of this size should replace the present one: a smaller log only while no frame is in flight. */
  public boolean lacksLog(int bytes) {
    return !isLogOf(bytes) && (bytes > log.size() || window.inFlight() == 0);
  }

  /** Moves all frames into another log. Returns false, without effect, if it is too small for the frames in flight. */
  public boolean continueIn(ByteBuffer newLog) {
    lookForRoom();
    return window.continueIn(newLog, 0);
  }

  public BatchBuilder gathering() {
    return gathering;
  }

  public Striper striper() {
    return striper;
  }

  public SendWindow window() {
    return window;
  }

  /**
   * Checks the size of a message before its claim.
   *
   * @param name name of the stream or route, for the message of the exception
   * @throws MessageTooLargeException if no message of this size can ever be sent
   */
  public void requireFits(String name, int maxBodyBytes) {
    if (maxBodyBytes > maxMessageBytes) {
      throw tooLarge("stream or route '" + name + "': message", maxBodyBytes);
    }
  }

  private MessageTooLargeException tooLarge(String what, int maxBodyBytes) {
    return new MessageTooLargeException(
        what
            + " of up to "
            + maxBodyBytes
            + " B exceeds the limit of "
            + maxMessageBytes
            + " B, the smaller maxMessageBytes of both sides; raise that or send smaller messages",
        maxBodyBytes,
        maxMessageBytes);
  }

  /**
   * Discards the known room, because rails changed or more room may be available. Gathered messages are posted
   * first.
   */
  public void lookForRoom() {
    publishGathered();
    roomKnown = false;
  }

  /**
   * Moves all frames to the log, including those in flight, from which every kind of rail can send them (MR12: V
   * 10.2). A mapped ring receives copies. Returns false, without effect, if the log has no room now.
   */
  public boolean leaveRings() {
    if (inRings) {
      lookForRoom();
      inRings = !window.moveIntoLog(Reserve.MESSAGES.bytes);
    }
    return !inRings;
  }

  /**
   * Claims room for a message, which {@link #commitMessage} commits.
   *
   * @return the entry, or null if no live subchannel has room now
   * @throws MessageTooLargeException if no message of this size can ever be sent
   */
  public Slot claimMessage(FrameOwner owner, int newFlags, int maxBodyBytes, int metadataBytes) {
    Slot claimed = claimFrame(newFlags, maxBodyBytes, metadataBytes, owner.marker());
    if (claimed != null && owner.mayContinue() && gathering.takes(newFlags, maxBodyBytes)) {
      int limit = start + roomBytes(maxBodyBytes);
      gathering.open(owner, mapped, slot.bodyOffset, maxBodyBytes, limit);
    }
    return claimed;
  }

  /** Returns the size to which the claimed frame may grow. */
  private int roomBytes(int maxBodyBytes) {
    long most;
    if (roomKnown) {
      most = roomPosition - mapped.position();
    } else {
      most = maxUnacknowledgedBytes - window.unacknowledgedBytes();
      most = Math.min(most, carrier.writer().contiguousRoom(Reserve.MESSAGES.bytes));
      if (mapped == null) {
        most = Math.min(most, log.contiguousRoom(start, Reserve.MESSAGES.bytes));
      }
    }
    int claimedBytes = FrameHeader.slotBytes(headerBytes + maxBodyBytes);
    return (int) Math.max(claimedBytes, Math.min(maxGatheredBytes, most));
  }

  /**
   * Claims room for a request, a single reply, or a message and possibly its successors.
   *
   * @return the entry, or null if no live subchannel has room now
   */
  public Slot claimFrame(int newFlags, int maxBodyBytes, int metadataBytes, Marker marker) {
    if (maxBodyBytes > maxMessageBytes) {
      throw tooLarge("message", maxBodyBytes);
    }
    if (!mayClaim()) {
      return null;
    }
    int newHeaderBytes = FrameHeader.headerBytes(newFlags, metadataBytes);
    int slotBytes = FrameHeader.slotBytes(newHeaderBytes + maxBodyBytes);
    if (!roomKnown
        || mapped.position() + slotBytes - roomPosition > 0
        || window.next() - roomPsn >= 0) {
      return claim(newFlags, maxBodyBytes, metadataBytes, Reserve.MESSAGES, marker);
    }
    flags = newFlags;
    headerBytes = newHeaderBytes;
    start = mapped.placeBeforeWrap(slotBytes);
    slot.bodyOffset = start + newHeaderBytes;
    return slot;
  }

  /**
   * Claims room for a control frame.
   *
   * @return the entry, or null if no live subchannel has room now
   */
  public Slot claimControl(int newFlags, int maxBodyBytes, int metadataBytes, Reserve reserve) {
    return mayClaim()
        ? claim(newFlags, maxBodyBytes, metadataBytes, reserve, Marker.REQUEST)
        : null;
  }

  /**
   * Guards every claim: gathered messages are posted first, because they share the state of a claim. While a codec
   * or a source writes a frame, every claim is refused.
   */
  private boolean mayClaim() {
    publishGathered();
    if (slot.encoding) {
      gathering.refused();
    }
    return !slot.encoding;
  }

  private Slot claim(
      int newFlags, int maxBodyBytes, int metadataBytes, Reserve reserve, Marker marker) {
    int maxBytes =
        FrameHeader.headerBytes(newFlags | FrameFlags.PIGGYBACK, metadataBytes) + maxBodyBytes;
    if (!windowHasRoom(maxBytes, reserve)
        || !choose(FrameHeader.slotBytes(maxBytes), marker, reserve)) {
      stalls++;
      noteTooLarge(FrameHeader.slotBytes(maxBytes), reserve);
      return null;
    }
    return begun(newFlags, metadataBytes);
  }

  private Slot begun(int newFlags, int metadataBytes) {
    flags = newFlags;
    if (mapped == null && carrier.owes(received.expected())) {
      flags |= FrameFlags.PIGGYBACK;
    }
    headerBytes = FrameHeader.headerBytes(flags, metadataBytes);
    slot.bodyOffset = start + headerBytes;
    slot.bodyBytes = 0;
    slot.metadata = null;
    slot.timeToLiveNanos = 0;
    measureRoom();
    return slot;
  }

  /**
   * Announces a written portion of a large message, over the subchannel of the writes and behind them. Returns
   * false if the subchannel has no room now.
   */
  public boolean fin(Subchannel subchannel, long transfer, int grant) {
    int maxBytes = FrameHeader.headerBytes(FrameFlags.PIGGYBACK, 0) + RendezvousFin.BYTES;
    int slotBytes = FrameHeader.slotBytes(maxBytes);
    if (!mayClaim()) {
      return false;
    }
    if (!windowHasRoom(maxBytes, Reserve.CONTROL)
        || !subchannel.writer().isReady(slotBytes, Reserve.CONTROL.bytes)
        || !reserveAt(subchannel, slotBytes, Reserve.CONTROL)) {
      stalls++;
      return false;
    }
    begun(0, 0);
    RendezvousFin.put(slot.buffer, slot.bodyOffset, grant);
    slot.bodyBytes = RendezvousFin.BYTES;
    commit(null, FrameType.RNDZ_FIN, 0, 0, transfer);
    return true;
  }

  /** Measures the room before the claimed entry is committed and takes its share. */
  private void measureRoom() {
    roomKnown = live.size() == 1 && mapped != null && !carrier.further;
    if (roomKnown) {
      long unacknowledged = maxUnacknowledgedBytes - window.unacknowledgedBytes();
      int contiguous = mapped.contiguousRoom(Reserve.MESSAGES.bytes);
      roomPosition = mapped.position() + Math.min(unacknowledged, contiguous);
      // May be below the next number, because control frames use numbers that messages leave free.
      roomPsn = window.acknowledged() + window.size() - Reserve.MESSAGES.psns;
    }
  }

  private boolean windowHasRoom(int maxBytes, Reserve reserve) {
    return window.size() - window.inFlight() > reserve.psns
        && (reserve != Reserve.MESSAGES
            || window.unacknowledgedBytes() + maxBytes <= maxUnacknowledgedBytes);
  }

  private boolean choose(int slotBytes, Marker marker, Reserve reserve) {
    int count = live.size();
    if (count == 0) {
      return false;
    }
    if (reserve == Reserve.MESSAGES && count > 1 && !anyTakes(slotBytes)) {
      // A round-robin policy counts its choices: it chooses once per message, not once per attempt.
      return false;
    }
    int first = reserve == Reserve.MESSAGES
        ? firstForMessage(slotBytes, marker)
        : striper.soonest(slotBytes);
    for (int i = 0; i < count; i++) {
      Subchannel candidate = live.get((first + i) % count);
      if (takes(candidate, slotBytes, reserve)) {
        boolean reserved = reserveAt(candidate, slotBytes, reserve);
        if (reserved && reserve == Reserve.MESSAGES) {
          patience.over();
        }
        return reserved;
      }
      boolean awaitable = i == 0 && reserve == Reserve.MESSAGES && !candidate.further;
      if (awaitable && patience.waitsFor(candidate)) {
        return false;
      }
    }
    return false;
  }

  private int firstForMessage(int slotBytes, Marker marker) {
    int awaited = patience.awaited(live);
    if (awaited >= 0) {
      return awaited;
    }
    return striper.next(slotBytes, marker);
  }

  private boolean anyTakes(int slotBytes) {
    for (int i = 0; i < live.size(); i++) {
      if (takes(live.get(i), slotBytes, Reserve.MESSAGES)) {
        return true;
      }
    }
    return false;
  }

  private boolean takes(Subchannel candidate, int slotBytes, Reserve reserve) {
    RingWriter writer = candidate.writer();
    return writer.isReady(slotBytes, reserve.bytes)
        && !isLeaving(candidate)
        && (reserve != Reserve.MESSAGES || (!candidate.further && !writer.isCongested()));
  }

  /** Whether to avoid the candidate, because its frames would have to be sent again. */
  private boolean isLeaving(Subchannel candidate) {
    if (!candidate.isGivenUp()) {
      return false;
    }
    for (int i = 0; i < live.size(); i++) {
      if (!live.get(i).isGivenUp()) {
        return true;
      }
    }
    return false;
  }

  private boolean reserveAt(Subchannel candidate, int slotBytes, Reserve reserve) {
    carrier = candidate;
    RingWriter writer = candidate.writer();
    mapped = inRings && writer instanceof MappedRingWriter ring ? ring : null;
    if (mapped != null) {
      frames = mapped.mapped();
      slot.buffer = mapped.view().clear();
      start = mapped.place(slotBytes);
      return true;
    }
    frames = log.memory();
    slot.buffer = log.view().clear();
    start = log.claim(slotBytes, reserve.bytes);
    return start >= 0;
  }

  /** Adds the claimed message: sent at once, or with later messages of the stream. */
  public void commitMessage(FrameOwner owner, boolean last, long streamSeq) {
    if (gathering.isOpen()) {
      gathering.add(slot.bodyBytes);
    } else {
      commit(owner, FrameType.DATA, last ? FrameFlags.LAST : 0, owner.id(), streamSeq);
    }
  }

  /**
   * Posts the gathered messages; the last of them is the last that its stream sent. Not called while another
   * message is being written.
   */
  public void publishGathered() {
    FrameOwner owner = gathering.owner();
    if (owner == null || slot.encoding) {
      return;
    }
    gathering.close();
    if (mapped != null) {
      mapped.scribbled(FrameHeader.slotBytes(gathering.reached() - start));
    }
    int count = gathering.count();
    if (count > 0) {
      int type = count == 1 ? FrameType.DATA : FrameType.BATCH;
      int lengthBytes = gathering.finish(frames) - start;
      FrameHeader.put(frames, start, window.next(), owner.id(), owner.nextSeq() - count);
      post(owner, count, FrameHeader.word(lengthBytes, type, flags, headerBytes));
    }
  }

  /** Assigns a sequence number to the claimed entry with its {@link Slot#bodyBytes} and posts it. */
  public void commit(FrameOwner owner, int type, int extraFlags, long streamId, long streamSeq) {
    FrameHeader.put(frames, start, window.next(), streamId, streamSeq);
    int lengthBytes = headerBytes + slot.bodyBytes;
    post(owner, 1, FrameHeader.word(lengthBytes, type, flags | extraFlags, headerBytes));
  }

  private void post(FrameOwner owner, int items, long word) {
    if (gathering.isOpen()) {
      throw new IllegalStateException("a frame overtakes the messages that are gathered");
    }
    noteOwner(owner);
    if (headerBytes != FrameHeader.BYTES) {
      putExtensions(FrameHeader.flags(word));
    }
    window.record(owner, items, carrier, frames, start, word);
    int slotBytes = FrameHeader.slotBytes(FrameHeader.lengthBytes(word));
    if (mapped != null) {
      mapped.publishPlaced(word, slotBytes);
    } else {
      window.recordLogEnd(log.commit(start, slotBytes));
      carrier.writer().publish(frames, start, word);
    }
  }

  private void noteOwner(FrameOwner owner) {
    soleOwner = !posted || owner == soleOwner ? owner : null;
    posted = true;
  }

  /** Returns the stream that sent all frames posted since the last call; null if other frames or none were posted. */
  public FrameOwner takeSoleOwner() {
    FrameOwner owner = soleOwner;
    soleOwner = null;
    posted = false;
    return owner;
  }

  /** Whether any frame was posted since {@link #takeSoleOwner}. */
  public boolean hasPosted() {
    return posted;
  }

  private void putExtensions(int allFlags) {
    long expected = received.expected();
    FrameHeader.putExtensions(
        frames,
        start,
        allFlags,
        carrier.incoming.consumed(),
        expected,
        slot.timeToLiveNanos,
        slot.metadata);
    if ((allFlags & FrameFlags.PIGGYBACK) != 0) {
      carrier.reported(expected);
    }
  }

  /** Converts the count in the peer's word into a sequence number. */
  public long ackOf(long word) {
    return firstPsn + word;
  }

  /** Posts an unacknowledged frame again on a live subchannel. Returns false if none has room. */
  public boolean replay(long psn) {
    long word = window.word(psn);
    lookForRoom();
    int slotBytes = FrameHeader.slotBytes(FrameHeader.lengthBytes(word));
    if (!choosePlain(slotBytes)) {
      noteTooLarge(slotBytes, Reserve.NONE);
      return false;
    }
    noteOwner(null);
    window.carrier(psn, carrier);
    ByteBuffer memory = window.memory(psn);
    if ((FrameHeader.flags(word) & FrameFlags.PIGGYBACK) != 0) {
      // The frame carries the credit of its subchannel's ring, which is another ring now.
      int at = window.offset(psn) + FrameHeader.BYTES;
      memory.putLong(at, carrier.incoming.consumed());
      memory.putLong(at + Long.BYTES, received.expected());
    }
    carrier.writer().publish(memory, window.offset(psn), word);
    return true;
  }

  /** Drops all references to the rings of the ended channel. */
  public void end() {
    carrier = null;
    mapped = null;
    frames = null;
    soleOwner = null;
    slot.buffer = null;
    slot.metadata = null;
    patience.end();
    window.end();
  }

  private boolean choosePlain(int slotBytes) {
    for (Subchannel candidate : live) {
      if (candidate.writer().isReady(slotBytes, 0) && !candidate.writer().isCongested()) {
        carrier = candidate;
        return true;
      }
    }
    return false;
  }
}
