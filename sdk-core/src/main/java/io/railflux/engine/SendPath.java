package io.railflux.engine;

import io.railflux.exceptions.MessageTooLargeException;
import io.railflux.pipeline.Slot;
import io.railflux.policy.Marker;
import io.railflux.wire.FrameFlags;
import io.railflux.wire.FrameHeader;
import io.railflux.wire.FrameType;
import io.railflux.wire.RendezvousFin;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Stripe → claim → gather → sequence → post, for everything that carries a sequence number. At most one
 * claim is open at a time; before the next it is posted with what it gathered, or forgotten. While a
 * codec writes into it, or a source and its codec fill it, there is no room for others: they may send, too. Engine
 * thread only.
 */
final class SendPath {

  /**
   * What a frame leaves free of numbers, ring and log, so that those more urgent always proceed: even
   * when nothing was acknowledged for long, control frames find room, and when they took theirs,
   * RESUMEs do, without which nothing might be acknowledged ever again.
   */
  enum Reserve {
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

  /** At 10 Mbit/s what a control frame may wait for; over two paths of 1 Gbit/s stripes save what a grant costs. */
  private static final int PACED_BYTES = 64 << 10;

  private final List<Subchannel> live;
  private final Striper striper;
  private final SendWindow window;
  private final SendLog log;
  private final long firstPsn;
  private final int eagerLimitBytes;
  private final int pacedLimitBytes;
  private final int maxMessageBytes;
  private final long maxUnacknowledgedBytes;
  private final ReceiveWindow received;
  private final CreditPatience patience;
  private final Slot slot = new Slot();

  // Of what was posted since they were taken.
  private OutboundStream soleOwner;
  private boolean posted;

  // The open claim.
  private Subchannel carrier;
  private MappedRingWriter mapped;
  private ByteBuffer frames;
  private int start;
  private int flags;
  private int headerBytes;

  private final Gathering gathering;
  private final int maxGatheredBytes;

  // Whether frames are encoded in mapped rings: as long as no rail could have to post them again.
  private boolean inRings = true;

  // Whether a message found another way than the one path within the host. Once one did, it stays:
  // who waits for memory to send a large message from goes on waiting for it.
  private boolean leftOnePath;

  // Room for messages that is known to be there in the one mapped ring, so that most need not look:
  // up to a position of the ring and a sequence number. It holds as long as the rails stay: credit
  // and acknowledgements only add to it, and whatever is posted only uses it up.
  private boolean roomKnown;
  private long roomPosition;
  private long roomPsn;

  // Counted for metrics.
  long stalls;

  /**
   * What the peer accepts.
   *
   * @param eagerLimitBytes largest message that goes through the ring
   * @param pacedLimitBytes the same over several paths, and between hosts
   * @param maxMessageBytes largest message at all
   * @param maxUnacknowledgedBytes of frames under way: twice its ring
   */
  record Bounds(
      int eagerLimitBytes, int pacedLimitBytes, int maxMessageBytes, long maxUnacknowledgedBytes) {

    static Bounds of(Engine engine, int peerRingBytes, int maxMessageBytes) {
      int eager = Math.min(maxMessageBytes, engine.eagerLimitBytes(peerRingBytes));
      boolean said = engine.config().large().hasEagerLimit();
      int paced = said ? eager : Math.min(eager, PACED_BYTES);
      return new Bounds(eager, paced, maxMessageBytes, 2L * peerRingBytes);
    }
  }

  SendPath(
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
    this.gathering = new Gathering(slot, eagerLimitBytes);
    this.maxUnacknowledgedBytes = bounds.maxUnacknowledgedBytes();
    this.maxGatheredBytes = Gathering.maxBytes(bounds.maxUnacknowledgedBytes() / 2);
  }

  int maxMessageBytes() {
    return maxMessageBytes;
  }

  int eagerLimitBytes() {
    return eagerLimitBytes;
  }

  /** Whether a message of that size goes by rendezvous. What does once does so always. */
  boolean isLarge(int maxBodyBytes) {
    return maxBodyBytes > pacedLimitBytes && (maxBodyBytes > eagerLimitBytes || leavesOnePath());
  }

  /**
   * Between hosts nothing else is heard of this side while a long frame travels, and only large messages
   * have further connections tried; several paths share what is large. Sessions over mapped
   * memory alone need none of that.
   */
  private boolean leavesOnePath() {
    if (!inRings && !leftOnePath) {
      leftOnePath = live.size() > 1 || (!live.isEmpty() && live.get(0).leadsOut());
    }
    return leftOnePath;
  }

  Gathering gathering() {
    return gathering;
  }

  Striper striper() {
    return striper;
  }

  SendWindow window() {
    return window;
  }

  /** @throws MessageTooLargeException when a message of that size can never be sent */
  void requireFits(int maxBodyBytes) {
    if (maxBodyBytes > maxMessageBytes) {
      throw tooLarge(maxBodyBytes);
    }
  }

  private MessageTooLargeException tooLarge(int maxBodyBytes) {
    return new MessageTooLargeException(
        "message of up to "
            + maxBodyBytes
            + " B exceeds the limit of "
            + maxMessageBytes
            + " B, the smaller maxMessageBytes of both sides; raise that or send smaller messages",
        maxBodyBytes,
        maxMessageBytes);
  }

  /**
   * What was found out about room is forgotten: rails changed, or there may be more by now. What was
   * gathered goes first.
   */
  void lookForRoom() {
    publishGathered();
    roomKnown = false;
  }

  /**
   * From now on every frame lies in the log, those under way among them, from where each kind of rail sends it
   * (MR12: V 10.2); a mapped ring gets a copy. Returns false, and changes nothing, when that has no room now.
   */
  boolean leaveRings() {
    if (inRings) {
      lookForRoom();
      inRings = !window.moveIntoLog(Reserve.MESSAGES.bytes);
    }
    return !inRings;
  }

  /**
   * Room for a message, to be committed by {@link #commitMessage}.
   *
   * @return the entry, or null when no live subchannel has room now
   * @throws MessageTooLargeException when a message of that size can never be sent
   */
  Slot claimMessage(OutboundStream owner, int newFlags, int maxBodyBytes, int metadataBytes) {
    Slot claimed = claimFrame(newFlags, maxBodyBytes, metadataBytes, owner.marker);
    if (claimed != null && owner.goesOn() && gathering.takes(newFlags, maxBodyBytes)) {
      int limit = start + roomBytes(maxBodyBytes);
      gathering.open(owner, mapped, slot.bodyOffset, maxBodyBytes, limit);
    }
    return claimed;
  }

  /** What the claimed frame, which has room for that much, may grow to. */
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
   * Room for a request, a reply that is alone, or a message and perhaps those that follow it.
   *
   * @return the entry, or null when no live subchannel has room now
   */
  Slot claimFrame(int newFlags, int maxBodyBytes, int metadataBytes, Marker marker) {
    requireFits(maxBodyBytes);
    publishGathered();
    int newHeaderBytes = FrameHeader.headerBytes(newFlags, metadataBytes);
    int slotBytes = FrameHeader.slotBytes(newHeaderBytes + maxBodyBytes);
    if (!roomKnown
        || slot.encoding
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
   * Room for a frame that is no message.
   *
   * @return the entry, or null when no live subchannel has room now
   */
  Slot claimControl(int newFlags, int maxBodyBytes, int metadataBytes, Reserve reserve) {
    return claim(newFlags, maxBodyBytes, metadataBytes, reserve, Marker.REQUEST);
  }

  private Slot claim(
      int newFlags, int maxBodyBytes, int metadataBytes, Reserve reserve, Marker marker) {
    int maxBytes =
        FrameHeader.headerBytes(newFlags | FrameFlags.PIGGYBACK, metadataBytes) + maxBodyBytes;
    publishGathered();
    if (isBeingWritten()) {
      return null;
    }
    if (!windowHasRoom(maxBytes, reserve)
        || !choose(FrameHeader.slotBytes(maxBytes), marker, reserve)) {
      stalls++;
      return null;
    }
    return begun(newFlags, metadataBytes);
  }

  /** Who asks is a codec or a source whose message that is. */
  private boolean isBeingWritten() {
    if (slot.encoding) {
      gathering.refused();
    }
    return slot.encoding;
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
   * Says that a portion of a large message is written, over the subchannel it was written over, behind it.
   * Returns false when that has no room now.
   */
  boolean fin(Subchannel subchannel, long transfer, int grant) {
    int maxBytes = FrameHeader.headerBytes(FrameFlags.PIGGYBACK, 0) + RendezvousFin.BYTES;
    int slotBytes = FrameHeader.slotBytes(maxBytes);
    publishGathered();
    if (isBeingWritten()) {
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

  /** Before the claimed entry is committed, which takes its share. */
  private void measureRoom() {
    roomKnown = live.size() == 1 && mapped != null && !carrier.further;
    if (roomKnown) {
      long unacknowledged = maxUnacknowledgedBytes - window.unacknowledgedBytes();
      int contiguous = mapped.contiguousRoom(Reserve.MESSAGES.bytes);
      roomPosition = mapped.position() + Math.min(unacknowledged, contiguous);
      // May be behind the next one: a control frame takes of what messages leave.
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
      // A policy that takes turns is asked once a message, not once a try.
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

  /** Nothing should have to be sent again for it. */
  private boolean isLeaving(Subchannel candidate) {
    if (candidate.givenUp == null) {
      return false;
    }
    for (int i = 0; i < live.size(); i++) {
      if (live.get(i).givenUp == null) {
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

  /** Takes the claimed message: to be sent at once, or with those of the stream that follow. */
  void commitMessage(OutboundStream owner, boolean last, long streamSeq) {
    if (gathering.isOpen()) {
      gathering.add(slot.bodyBytes);
    } else {
      commit(owner, FrameType.DATA, last ? FrameFlags.LAST : 0, owner.id, streamSeq);
    }
  }

  /**
   * Posts the messages that were gathered; the last of them is the last its stream sent. Not while
   * another one is being written.
   */
  void publishGathered() {
    OutboundStream owner = gathering.owner();
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
      FrameHeader.put(frames, start, window.next(), owner.id, owner.nextSeq() - count);
      post(owner, count, FrameHeader.word(lengthBytes, type, flags, headerBytes));
    }
  }

  /** Sequences the claimed entry with its {@link Slot#bodyBytes} and posts it. */
  void commit(OutboundStream owner, int type, int extraFlags, long streamId, long streamSeq) {
    FrameHeader.put(frames, start, window.next(), streamId, streamSeq);
    int lengthBytes = headerBytes + slot.bodyBytes;
    post(owner, 1, FrameHeader.word(lengthBytes, type, flags | extraFlags, headerBytes));
  }

  private void post(OutboundStream owner, int items, long word) {
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

  private void noteOwner(OutboundStream owner) {
    soleOwner = !posted || owner == soleOwner ? owner : null;
    posted = true;
  }

  /** The stream whose messages are all that was posted since the last call; null if anything else was, or nothing. */
  OutboundStream takeSoleOwner() {
    OutboundStream owner = soleOwner;
    soleOwner = null;
    posted = false;
    return owner;
  }

  /** Whether anything was posted since {@link #takeSoleOwner}. */
  boolean hasPosted() {
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
      carrier.told(expected);
    }
  }

  /** The count the peer's word tells, as a sequence number. */
  long ackOf(long word) {
    return firstPsn + word;
  }

  /** Posts an unacknowledged frame again on a live subchannel. Returns false when none has room. */
  boolean replay(long psn) {
    long word = window.word(psn);
    lookForRoom();
    if (!choosePlain(FrameHeader.slotBytes(FrameHeader.lengthBytes(word)))) {
      return false;
    }
    noteOwner(null);
    window.carrier(psn, carrier);
    ByteBuffer memory = window.memory(psn);
    if ((FrameHeader.flags(word) & FrameFlags.PIGGYBACK) != 0) {
      // The frame speaks of the ring it travels beside, which is another one now.
      int at = window.offset(psn) + FrameHeader.BYTES;
      memory.putLong(at, carrier.incoming.consumed());
      memory.putLong(at + Long.BYTES, received.expected());
    }
    carrier.writer().publish(memory, window.offset(psn), word);
    return true;
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
