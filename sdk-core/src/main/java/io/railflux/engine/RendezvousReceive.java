package io.railflux.engine;

import io.railflux.buffer.PooledBuffer;
import io.railflux.exceptions.FabricUnavailableException;
import io.railflux.fabric.Access;
import io.railflux.fabric.Capabilities.Feature;
import io.railflux.fabric.ExposedRegion;
import io.railflux.fabric.LocalMemory;
import io.railflux.fabric.RemoteAccessException;
import io.railflux.fabric.RemoteRegion;
import io.railflux.wire.ReceivedFrame;
import io.railflux.wire.RendezvousReply;
import io.railflux.wire.RendezvousStart;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * One large message on its way here. With memory of the budget it is read from the sender, or the sender is
 * granted portions to write: into that memory where the fabric can expose it, else into slices of a {@link
 * LandingWindow}, from which it is copied. What a lost subchannel leaves missing is granted again over
 * another one, under another number (D1: only after the lost one was drained). Engine thread only.
 */
final class RendezvousReceive implements LargeMemory.Claimant, BulkLane.Reading {

  /** Out at a time for one message. */
  static final int MOST_GRANTS = 4;

  /** What became of asking for a portion. */
  enum Asked {
    GRANTED,
    NO_ROOM,
    NOTHING_TO_ASK
  }

  private record Portion(int offset, int lengthBytes) {}

  /** @param slice of the subchannel's window; -1 when it lands where it belongs */
  private record Grant(Subchannel subchannel, int offset, int lengthBytes, int slice) {}

  private final RendezvousReceives owner;
  private final long id;
  private final InboundStream stream;
  private final FrameCopy header;
  private final int lengthBytes;

  private RendezvousReceiveState state = RendezvousReceiveState.AWAITING_MEMORY;
  private PooledBuffer memory;
  private ByteBuffer bytes;
  private int landedBytes;

  // To be written: from here on, and what was lost before.
  private int next;
  private final ArrayDeque<Portion> lost = new ArrayDeque<>();
  private final Map<Integer, Grant> grants = new TreeMap<>();
  private final Set<Integer> revoked = new HashSet<>();
  private int nextGrant;
  private final Map<Integer, ExposedRegion> exposed = new TreeMap<>();

  // To be read; null when it is not, any more.
  private Subchannel readBy;
  private RendezvousStart offer;
  private RemoteRegion source;
  private int readPosted;
  private int readDone;
  private int reads;

  private final List<Rail> registered = new ArrayList<>(1);
  private boolean asking;

  /** @param stream whose message it is; null for a request */
  RendezvousReceive(
      RendezvousReceives owner, RendezvousStart start, InboundStream stream, FrameCopy header) {
    this.owner = owner;
    this.id = start.transfer();
    this.offer = start;
    this.lengthBytes = start.lengthBytes();
    this.stream = stream;
    this.header = header;
  }

  long id() {
    return id;
  }

  int lengthBytes() {
    return lengthBytes;
  }

  InboundStream stream() {
    return stream;
  }

  RendezvousReceiveState state() {
    return state;
  }

  boolean hasLanded() {
    return state == RendezvousReceiveState.LANDED;
  }

  long arrivedNanos() {
    return header.arrivedNanos();
  }

  private void become(RendezvousReceiveState newState) {
    if (!state.canBecome(newState)) {
      throw new IllegalStateException("large message " + id + ": " + state + " to " + newState);
    }
    state = newState;
  }

  @Override
  public void roomAgain() {
    begin();
  }

  /** Begins as soon as the budget has room. */
  void begin() {
    LargeMemory budget = owner.memory();
    try {
      memory = budget.take(this, lengthBytes);
    } catch (IllegalStateException e) {
      budget.forget(this);
      owner.fail(this, e);
      return;
    }
    if (memory != null) {
      become(RendezvousReceiveState.MOVING);
      bytes = memory.memory().duplicate();
      move();
    }
  }

  private void move() {
    if (lengthBytes == 0) {
      land();
    } else if (!read()) {
      ask();
    }
  }

  private boolean read() {
    Subchannel subchannel =
        offer.isReadable() ? owner.channel().liveSubchannel(offer.subchannel()) : null;
    if (subchannel == null || !subchannel.capabilities().has(Feature.READ)) {
      return false;
    }
    try {
      source = subchannel.endpoint.attach(offer.key(), lengthBytes);
    } catch (RemoteAccessException e) {
      return false;
    }
    readBy = subchannel;
    next = lengthBytes;
    subchannel.lane().add(this);
    return true;
  }

  @Override
  public boolean readChunk(BulkLane lane) {
    int chunk = Math.min(lane.chunkBytes(), lengthBytes - readPosted);
    LocalMemory local = registered(lane.subchannel().rail);
    if (lane.read(this, local, readPosted, chunk, source)) {
      readPosted += chunk;
      reads++;
    }
    return readPosted < lengthBytes;
  }

  private LocalMemory registered(Rail rail) {
    var registrations = owner.channel().engine().registrations(rail);
    LocalMemory local = registrations.acquire(memory.memory());
    if (registered.contains(rail)) {
      registrations.release(memory.memory());
    } else {
      registered.add(rail);
    }
    return local;
  }

  @Override
  public void completed(int chunkBytes) {
    reads--;
    readDone += chunkBytes;
    landed(chunkBytes);
  }

  @Override
  public void flushed() {
    reads--;
  }

  /**
   * More of the message is in this node's memory. This is the one place where payload arrives: whoever
   * opens what was sealed would do so here.
   */
  private void landed(int portionBytes) {
    landedBytes += portionBytes;
    if (state == RendezvousReceiveState.MOVING && landedBytes == lengthBytes) {
      land();
    } else {
      finishAbandoned();
    }
  }

  private void land() {
    become(RendezvousReceiveState.LANDED);
    hide();
    owner.landed(this);
  }

  /** No peer may change what is handed on. */
  private void hide() {
    exposed.values().forEach(ExposedRegion::close);
    exposed.clear();
    if (source != null) {
      source.close();
      source = null;
    }
  }

  private void ask() {
    if (!asking) {
      asking = true;
      owner.ask(this);
    }
  }

  void asksNoMore() {
    asking = false;
  }

  /** Grants the next portion, over {@code subchannel}. */
  Asked askFor(Subchannel subchannel) {
    Portion wanted = wanted();
    if (wanted == null) {
      return Asked.NOTHING_TO_ASK;
    }
    if (subchannel == null) {
      return Asked.NO_ROOM;
    }
    ExposedRegion own = exposed(subchannel);
    return own != null ? grant(subchannel, wanted, own, -1) : grantSlice(subchannel, wanted);
  }

  private Portion wanted() {
    if (state != RendezvousReceiveState.MOVING || grants.size() >= MOST_GRANTS) {
      return null;
    }
    if (!lost.isEmpty()) {
      return lost.peek();
    }
    int left = Math.min(owner.portionBytes(), lengthBytes - next);
    return left == 0 ? null : new Portion(next, left);
  }

  /** This message's memory as the peer may write it; null where it cannot be exposed. */
  private ExposedRegion exposed(Subchannel subchannel) {
    ExposedRegion region = exposed.get(subchannel.id);
    if (region == null && subchannel.capabilities().has(Feature.EXPOSES_USER_MEMORY)) {
      try {
        region = subchannel.endpoint.expose(bytes.slice(0, lengthBytes), Access.REMOTE_WRITE);
        exposed.put(subchannel.id, region);
      } catch (FabricUnavailableException | IllegalStateException e) {
        return null;
      }
    }
    return region;
  }

  private Asked grantSlice(Subchannel subchannel, Portion wanted) {
    LandingWindow window = subchannel.lane().window();
    if (!window.open()) {
      owner.askLater();
      return Asked.NO_ROOM;
    }
    int slice = window.take();
    if (slice < 0) {
      return Asked.NO_ROOM;
    }
    int length = Math.min(wanted.lengthBytes, window.sliceBytes());
    return grant(subchannel, new Portion(wanted.offset, length), window.region(), slice);
  }

  private Asked grant(Subchannel subchannel, Portion portion, ExposedRegion region, int slice) {
    taken(portion);
    int number = nextGrant++;
    grants.put(number, new Grant(subchannel, portion.offset, portion.lengthBytes, slice));
    int at = slice < 0 ? portion.offset : slice * subchannel.lane().window().sliceBytes();
    owner.reply(
        id,
        new RendezvousReply(
            number,
            subchannel.id,
            new RendezvousReply.Region(region.key(), region.lengthBytes(), at),
            portion.offset,
            portion.lengthBytes));
    return Asked.GRANTED;
  }

  private void taken(Portion portion) {
    if (lost.isEmpty()) {
      next += portion.lengthBytes;
      return;
    }
    Portion first = lost.poll();
    int left = first.lengthBytes - portion.lengthBytes;
    if (left > 0) {
      lost.addFirst(new Portion(first.offset + portion.lengthBytes, left));
    }
  }

  /** A portion is written. Returns what the peer did wrong, or null. */
  String onFin(int number, Subchannel carrier) {
    Grant grant = grants.get(number);
    if (grant == null) {
      // What was granted again may still be announced, once.
      return revoked.remove(number) ? null : "RNDZ_FIN of grant " + number + ", which is not out";
    }
    if (grant.subchannel != carrier) {
      return "RNDZ_FIN came over " + carrier + " and not behind what it tells of";
    }
    grants.remove(number);
    if (grant.slice >= 0) {
      LandingWindow window = carrier.lane().window();
      if (state == RendezvousReceiveState.MOVING) {
        int from = grant.slice * window.sliceBytes();
        bytes.put(grant.offset, window.region().memory(), from, grant.lengthBytes);
      }
      window.give(grant.slice);
    }
    landed(grant.lengthBytes);
    if (state == RendezvousReceiveState.MOVING) {
      ask();
    }
    return null;
  }

  /** The subchannel is in error: nothing more is read through it. */
  void lost(Subchannel subchannel) {
    if (readBy == subchannel) {
      subchannel.lane().remove(this);
    }
  }

  /** Nothing lands through it any more: what it left missing is wanted over another one. */
  void drained(Subchannel subchannel) {
    if (readBy == subchannel) {
      readBy = null;
      lost.add(new Portion(readDone, lengthBytes - readDone));
    }
    for (Integer number : new ArrayList<>(grants.keySet())) {
      Grant grant = grants.get(number);
      if (grant.subchannel == subchannel) {
        grants.remove(number);
        revoked.add(number);
        lost.add(new Portion(grant.offset, grant.lengthBytes));
      }
    }
    ExposedRegion region = exposed.remove(subchannel.id);
    if (region != null) {
      region.close();
    }
    if (state == RendezvousReceiveState.MOVING) {
      ask();
    }
    finishAbandoned();
  }

  /** Nobody wants it any more. */
  void abandon() {
    switch (state) {
      case AWAITING_MEMORY -> {
        owner.memory().forget(this);
        over();
      }
      case MOVING -> {
        if (readBy != null) {
          readBy.lane().remove(this);
        }
        become(RendezvousReceiveState.ABANDONED);
        finishAbandoned();
      }
      case LANDED -> over();
      case ABANDONED, OVER -> {}
    }
  }

  private void finishAbandoned() {
    if (state == RendezvousReceiveState.ABANDONED && reads == 0 && grants.isEmpty()) {
      hide();
      over();
    }
  }

  private void over() {
    boolean told = state == RendezvousReceiveState.LANDED;
    become(RendezvousReceiveState.OVER);
    release();
    owner.over(this, told);
  }

  /** Gives back what a message that was not taken over holds. */
  private void release() {
    if (memory != null) {
      registered.forEach(
          rail -> owner.channel().engine().registrations(rail).release(memory.memory()));
      registered.clear();
      memory.release();
      memory = null;
    }
  }

  /** The message as a frame, which is the owner of its memory until that is taken; or what is wrong. */
  String readInto(ReceivedFrame frame, int type) {
    var violation = header.readInto(frame);
    if (violation != null) {
      return violation.text();
    }
    frame.carry(type, memory, lengthBytes);
    return null;
  }

  /** It was handed on; what {@code frame} still owns of it goes back. */
  void delivered(ReceivedFrame frame) {
    become(RendezvousReceiveState.OVER);
    boolean taken = frame.takePayload() == null;
    if (taken) {
      registered.forEach(
          rail -> owner.channel().engine().registrations(rail).release(memory.memory()));
      registered.clear();
      memory = null;
    }
    release();
    owner.over(this, true);
  }

  /** The channel has ended and its endpoints are closed. */
  void end() {
    if (state != RendezvousReceiveState.OVER) {
      become(RendezvousReceiveState.OVER);
      release();
    }
  }
}
