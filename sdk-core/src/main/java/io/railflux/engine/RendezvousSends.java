package io.railflux.engine;

import io.railflux.buffer.PooledBuffer;
import io.railflux.pipeline.Slot;
import io.railflux.policy.Marker;
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
 * The large messages on their way to one peer: gives out memory to encode them in, tells the peer of them
 * and follows them until it says DONE. At most one claim is open at a time. Engine thread only.
 */
final class RendezvousSends {

  /** Under way to one peer at a time; part of the protocol. */
  static final int MOST = 64;

  /** Of one stream, and of all requests: few enough to leave others their share. */
  private static final int MOST_OF_ONE = MOST / 2;

  /** Of one stream: one is moved, the next is granted, a third is encoded and told of. */
  private static final int LEAST_OF_STREAM = 3;

  /**
   * Of one stream, waiting for the first to be moved, within a host: what is moved while a process wakes up,
   * about. What waits longer leaves the processor's cache, and is copied slower then.
   */
  private static final int AHEAD_WITHIN_HOST_BYTES = 512 << 10;

  /** As {@link #AHEAD_WITHIN_HOST_BYTES} between hosts: what 100 Gbit/s move in a millisecond, about. */
  private static final int AHEAD_BYTES = 16 << 20;

  private final VirtualChannel channel;
  private final LongMap<RendezvousSend> transfers = new LongMap<>();
  private final List<RendezvousSend> lingering = new ArrayList<>();

  /** With grants for subchannels that were not live here when they came. */
  private final List<RendezvousSend> early = new ArrayList<>();

  private final ArrayDeque<LargeMemory.Claimant> waiting = new ArrayDeque<>();
  private final Slot slot = new Slot();
  private long lastTransfer;
  private int nextRail;
  private int requests;

  // The open claim: memory of this node, of a window, or of the user.
  private Object claimant;
  private PooledBuffer claimed;
  private SourceWindow.Place place;
  private ByteBuffer lent;

  RendezvousSends(VirtualChannel channel) {
    this.channel = channel;
  }

  /**
   * Memory for a large message, to be committed or {@link #drop}ped.
   *
   * @param others whether others of its own are under way: then it waits for their places in the window
   *     rather than be copied, which would hold up those behind it
   * @return null: there is none now, {@link LargeMemory.Claimant#roomAgain} tells when to ask again
   */
  Slot claim(LargeMemory.Claimant who, int maxBodyBytes, boolean others) {
    if (!mayClaim(who)) {
      leaveQueue(who);
      return null;
    }
    boolean couldFit = takePlace(maxBodyBytes);
    if (place != null || (couldFit && others)) {
      leaveQueue(who);
      return place == null ? null : claimed(who, place.memory(), place.offset());
    }
    LargeMemory memory = channel.engine().sourceMemory();
    claimed = memory.take(who, maxBodyBytes);
    if (claimed == null) {
      return null;
    }
    memory.serve();
    return claimed(who, claimed.memory(), 0);
  }

  private Slot claimed(LargeMemory.Claimant who, ByteBuffer memory, int offset) {
    claimant = who;
    // The codec before may have left limits around its message.
    slot.buffer = memory.clear();
    slot.bodyOffset = offset;
    return slot;
  }

  /** A place where the peer can look at it, so that nobody copies it; returns whether one may come free. */
  private boolean takePlace(int bytes) {
    if (!channel.paths().isMapped() || !channel.largeConfig().mode().looksInPlace()) {
      return false;
    }
    boolean couldFit = false;
    for (int i = channel.live().size(); i > 0 && place == null; i--) {
      Subchannel subchannel = nextLive();
      SourceWindow window = subchannel.lane().sourceWindow();
      // What is sealed is copied as it is sealed.
      if (subchannel.sealing == null && window.fits(bytes)) {
        couldFit = true;
        place = window.take(bytes);
      }
    }
    return couldFit;
  }

  /** As {@link #claim}, for a request: of those only so many are under way. */
  Slot claimRequest(LargeMemory.Claimant who, int maxBodyBytes) {
    if (requests >= MOST_OF_ONE) {
      leaveQueue(who);
      return null;
    }
    return claim(who, maxBodyBytes, false);
  }

  /** It waits for something else than memory: those behind it must not wait for that, too. */
  void leaveQueue(LargeMemory.Claimant who) {
    channel.engine().sourceMemory().forget(who);
  }

  /** As {@link #claim}, for a message that is encoded already and stays where it is. */
  Slot lend(LargeMemory.Claimant who, ByteBuffer memory) {
    if (!mayClaim(who)) {
      return null;
    }
    claimant = who;
    lent = memory;
    slot.bodyBytes = memory.remaining();
    return slot;
  }

  /** Whether a stream with so many large messages under way should begin one more, of so many bytes. */
  boolean keepsPathBusy(int underWay, int bytes) {
    if (underWay < LEAST_OF_STREAM || underWay >= MOST_OF_ONE) {
      return underWay < LEAST_OF_STREAM;
    }
    int aheadBytes = isWithinHost() ? AHEAD_WITHIN_HOST_BYTES : AHEAD_BYTES;
    return (long) (underWay - 1) * bytes <= aheadBytes;
  }

  private boolean isWithinHost() {
    for (int i = 0; i < channel.live().size(); i++) {
      if (channel.live().get(i).leadsOut()) {
        return false;
      }
    }
    return true;
  }

  /** Whether that memory can be sent from. */
  boolean canLend(ByteBuffer memory) {
    // A rail that joins later could not send it from the heap.
    return memory.isDirect() || (channel.paths().isMapped() && !channel.engine().hasPostedRail());
  }

  private boolean mayClaim(LargeMemory.Claimant who) {
    if (slot.encoding || transfers.size() >= MOST) {
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

  boolean isOwn(Slot claimedSlot) {
    return claimedSlot == slot;
  }

  /** Forgets the claim that {@code who} made and did not commit. */
  void drop(Object who) {
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
    // Some may have come while it was encoded; of what is never sent nobody says DONE.
    wakeWaiting();
  }

  private void forgetClaim() {
    claimant = null;
    claimed = null;
    place = null;
    lent = null;
  }

  /** Tells the peer of the claimed message of a stream. */
  RendezvousSend commit(OutboundStream stream, boolean last, long streamSeq) {
    int flags = (stream.isReply() ? FrameFlags.REPLY : 0) | (last ? FrameFlags.LAST : 0);
    RendezvousSend send = new RendezvousSend(channel, ++lastTransfer, stream, streamSeq, source());
    start(send, RendezvousStart.MESSAGE, flags, stream.id, stream.marker);
    return send;
  }

  /** Tells the peer of the claimed request. */
  void commitRequest(int flags, long streamId, long demand, Marker marker) {
    RendezvousSend send = new RendezvousSend(channel, ++lastTransfer, null, demand, source());
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
    channel.rendezvous().traffic().begun();
    RendezvousStart start = offer(send, kind, marker);
    ControlFrame frame = new ControlFrame(FrameType.RNDZ_START, flags, streamId, send.streamSeq())
        .body(start.encodedBytes(), start::encode)
        .timeToLive(slot.timeToLiveNanos);
    if (slot.metadata != null) {
      // It may have to wait, and its owner writes the next one there.
      ByteBuffer copy = ByteBuffer.allocate(slot.metadata.remaining());
      frame.metadata(copy.put(slot.metadata.duplicate()).flip());
    }
    channel.control().send(frame);
  }

  private RendezvousStart offer(RendezvousSend send, int kind, Marker marker) {
    if (send.source().place() != null) {
      return send.inPlace(kind);
    }
    int bytes = send.source().lengthBytes();
    List<Stripe> stripes = bytes == 0 || channel.paths().isMapped()
        ? List.of()
        : channel.sendPath().striper().cut(bytes, marker);
    return send.offer(stripes, reader(stripes), kind);
  }

  /** One subchannel reads a message; several are written to. */
  private Subchannel reader(List<Stripe> stripes) {
    return switch (stripes.size()) {
      case 0 -> nextLive();
      case 1 -> channel.paths().find(stripes.get(0).subchannel());
      default -> null;
    };
  }

  private Subchannel nextLive() {
    int count = channel.live().size();
    return count == 0 ? null : channel.live().get(Math.floorMod(nextRail++, count));
  }

  /** Returns what the peer did wrong, or null. */
  String onReply(long transfer, RendezvousReply reply) {
    RendezvousSend send = transfers.get(transfer);
    if (send == null) {
      return unknown("RNDZ_REPLY", transfer);
    }
    String wrong = send.onReply(reply);
    if (send.hasGrants() && !early.contains(send)) {
      early.add(send);
    }
    return wrong;
  }

  /** Returns what the peer did wrong, or null. */
  String onDone(long transfer, RendezvousDone done) {
    RendezvousSend send = transfers.remove(transfer);
    if (send == null) {
      return unknown("RNDZ_DONE", transfer);
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
    return null;
  }

  private void wakeWaiting() {
    for (int i = waiting.size(); i > 0; i--) {
      waiting.poll().roomAgain();
    }
  }

  private String unknown(String what, long transfer) {
    boolean was = transfer > 0 && transfer <= lastTransfer;
    return was ? null : what + " for transfer " + transfer + ", which never began";
  }

  /** The stream is over: nothing of it is worth sending any more. */
  void abandon(OutboundStream stream) {
    drop(stream);
    waiting.remove(stream);
    channel.engine().sourceMemory().forget(stream);
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

  int underWay() {
    return transfers.size();
  }

  /** The channel has ended and its endpoints are closed. */
  void end() {
    drop(claimant);
    transfers.values().forEach(RendezvousSend::end);
    lingering.forEach(RendezvousSend::end);
  }
}
