package io.railflux.engine;

import io.railflux.buffer.PooledBuffer;
import io.railflux.fabric.Capabilities.Feature;
import io.railflux.fabric.LocalMemory;
import io.railflux.fabric.RemoteAccessException;
import io.railflux.fabric.RemoteRegion;
import io.railflux.wire.ReceivedFrame;
import io.railflux.wire.RendezvousDone;
import io.railflux.wire.RendezvousStart;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * One large message on its way here. With memory of the budget it is looked at where the sender encoded it
 * ({@link PeerWindow}), and copied only for who wants to keep it; or it is read from the sender; or the sender
 * is granted portions to write: into that memory where the fabric can expose it, else into slices of a
 * {@link LandingWindow}, from which it is copied. What a lost subchannel leaves missing is granted again
 * over another one, under another number (D1: only after the lost one was drained). Engine thread only.
 */
final class RendezvousReceive implements LargeMemory.Claimant, BulkLane.Reading {

  private final RendezvousReceives owner;
  private final long id;
  private final InboundStream stream;
  private final FrameCopy header;
  private final int lengthBytes;

  private RendezvousReceiveState state = RendezvousReceiveState.AWAITING_MEMORY;
  private PooledBuffer memory;
  // What it lends; whoever took the message may have given that back when registrations still name
  // it.
  private ByteBuffer landing;
  // To be written; null before there is memory.
  private PortionGrants grants;

  // Looked at in place; null when it is not, any more.
  private ByteBuffer view;
  private PeerWindow lookedInto;

  // To be read; null when it is not, any more.
  private Subchannel readBy;
  private RendezvousStart offer;
  private RemoteRegion source;
  private int readPosted;
  private int readDone;
  private int countedBytes;
  private long readNanos;
  private int reads;

  private final List<Rail> registered = new ArrayList<>(1);
  private boolean asking;
  private boolean toBegin;

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

  /** Not at once: this may be said inside a callback of a user, in which nothing else is delivered. */
  @Override
  public void roomAgain() {
    if (!toBegin) {
      toBegin = true;
      owner.beginSoon(this);
    }
  }

  /** Begins as soon as the budget has room; may deliver. */
  void begin() {
    toBegin = false;
    if (state != RendezvousReceiveState.AWAITING_MEMORY) {
      return;
    }
    LargeMemory budget = owner.memory();
    try {
      memory = budget.take(this, lengthBytes);
    } catch (IllegalStateException e) {
      budget.forget(this);
      owner.fail(this, e);
      return;
    }
    if (memory != null) {
      // Those behind it may begin soon, too.
      budget.serve();
      become(RendezvousReceiveState.MOVING);
      landing = memory.memory();
      grants = new PortionGrants(owner, offer, landing.duplicate());
      move();
    }
  }

  private void move() {
    if (lengthBytes == 0) {
      land();
    } else if (!fetch()) {
      ask();
    }
  }

  private boolean fetch() {
    Subchannel subchannel =
        offer.isReadable() ? owner.channel().paths().find(offer.subchannel()) : null;
    if (subchannel == null) {
      return false;
    }
    return subchannel.capabilities().mapped() ? look(subchannel) : read(subchannel);
  }

  private boolean look(Subchannel subchannel) {
    PeerWindow window = subchannel.lane().peerWindow();
    ByteBuffer memory = window.look(offer.source());
    if (memory == null) {
      return false;
    }
    view = memory.slice(offer.source().offset(), lengthBytes);
    lookedInto = window;
    grants.nothingToWrite();
    land();
    return true;
  }

  private boolean read(Subchannel subchannel) {
    // What is read is a region of its own.
    if (!subchannel.capabilities().has(Feature.READ) || offer.source().bytes() != lengthBytes) {
      return false;
    }
    try {
      source = subchannel.endpoint.attach(offer.source().key(), lengthBytes);
    } catch (RemoteAccessException e) {
      return false;
    }
    readBy = subchannel;
    grants.nothingToWrite();
    subchannel.lane().add(stream, this);
    return true;
  }

  @Override
  public boolean readChunk(BulkLane lane) {
    int chunk = Math.min(lane.readBytes(), lengthBytes - readPosted);
    LocalMemory local = registered(lane.subchannel().rail);
    if (lane.read(this, local, readPosted, chunk, source)) {
      readPosted += chunk;
      reads++;
    }
    return readPosted < lengthBytes;
  }

  private LocalMemory registered(Rail rail) {
    var registrations = owner.channel().engine().registrations(rail);
    LocalMemory local = registrations.acquire(landing);
    if (registered.contains(rail)) {
      registrations.release(landing);
    } else {
      registered.add(rail);
    }
    return local;
  }

  @Override
  public void completed(Subchannel subchannel, int chunkBytes, long tookNanos) {
    reads--;
    readDone += chunkBytes;
    readNanos += tookNanos;
    landed();
  }

  /**
   * As {@link RendezvousDone} tells it: late is what was seen so by more than a tenth of what it took (MR6:
   * V 7.1.2).
   */
  long readNanos() {
    if (lengthBytes == 0 || readDone < lengthBytes) {
      return 0;
    }
    boolean late = owner.channel().engine().unseenNanos() * 10 > readNanos;
    return late ? RendezvousDone.LATE : Math.min(readNanos, RendezvousDone.MOST_NANOS);
  }

  @Override
  public void flushed() {
    reads--;
  }

  /** More of the message is in this node's memory. */
  private void landed() {
    int landedBytes = readDone + grants.landedBytes();
    owner.channel().rendezvous().traffic().moved(landedBytes - countedBytes);
    countedBytes = landedBytes;
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
    grants.hide();
    if (source != null) {
      source.close();
      source = null;
    }
  }

  private void askIfMoving() {
    if (state == RendezvousReceiveState.MOVING) {
      ask();
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
  PortionGrants.Asked askFor(Subchannel subchannel) {
    return state == RendezvousReceiveState.MOVING
        ? grants.askFor(subchannel)
        : PortionGrants.Asked.NOTHING_TO_ASK;
  }

  /** A portion is written. Returns what the peer did wrong, or null. */
  String onFin(int number, Subchannel carrier) {
    if (grants == null) {
      return "RNDZ_FIN of grant " + number + " before anything was granted";
    }
    String wrong = grants.onFin(number, carrier, state == RendezvousReceiveState.MOVING);
    if (wrong != null) {
      return wrong;
    }
    landed();
    askIfMoving();
    return null;
  }

  /** The subchannel is in error: nothing more is read through it. */
  void lost(Subchannel subchannel) {
    if (readBy == subchannel) {
      subchannel.lane().remove(stream, this);
    }
    if (grants != null) {
      grants.lost(subchannel);
      askIfMoving();
    }
  }

  /** Nothing lands through it any more: what it left missing is wanted over another one. */
  void drained(Subchannel subchannel) {
    if (grants == null) {
      return;
    }
    if (readBy == subchannel) {
      readBy = null;
      grants.missing(readDone, lengthBytes - readDone);
    }
    grants.drained(subchannel);
    askIfMoving();
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
          readBy.lane().remove(stream, this);
        }
        become(RendezvousReceiveState.ABANDONED);
        finishAbandoned();
      }
      case LANDED -> over();
      case ABANDONED, OVER -> {}
    }
  }

  private void finishAbandoned() {
    if (state == RendezvousReceiveState.ABANDONED && reads == 0 && !grants.areOut()) {
      hide();
      over();
    }
  }

  private void over() {
    boolean told = state == RendezvousReceiveState.LANDED && !isInPlace();
    become(RendezvousReceiveState.OVER);
    release();
    owner.over(this, told);
  }

  /** Whether it still lies in the memory of its sender. */
  boolean isInPlace() {
    return view != null;
  }

  /** Gives back what a message that was not taken over holds. */
  private void release() {
    if (view != null) {
      view = null;
      lookedInto.leave();
    }
    if (memory != null) {
      unregister();
      memory.release();
      memory = null;
    }
  }

  private void unregister() {
    registered.forEach(rail -> owner.channel().engine().registrations(rail).release(landing));
    registered.clear();
  }

  /** The message as a frame, which is the owner of its memory until that is taken; or what is wrong. */
  String readInto(ReceivedFrame frame, int type) {
    var violation = header.readInto(frame);
    if (violation != null) {
      return violation.text();
    }
    if (view == null) {
      frame.carry(type, memory, lengthBytes);
    } else {
      frame.carryInPlace(type, view, memory);
    }
    return null;
  }

  /** It was handed on; what {@code frame} still owns of it goes back. */
  void delivered(ReceivedFrame frame) {
    become(RendezvousReceiveState.OVER);
    if (frame.forgetPayload()) {
      unregister();
      memory = null;
    }
    boolean inPlace = isInPlace();
    release();
    if (inPlace) {
      owner.tellArrived(this);
    }
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
