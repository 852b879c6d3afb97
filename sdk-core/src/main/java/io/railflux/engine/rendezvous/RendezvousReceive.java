package io.railflux.engine.rendezvous;

import io.railflux.buffer.PooledBuffer;
import io.railflux.engine.base.LargeMemory;
import io.railflux.engine.base.ProtocolViolation;
import io.railflux.engine.base.Rail;
import io.railflux.engine.path.BulkLane;
import io.railflux.engine.path.ExposedWindow;
import io.railflux.engine.path.Subchannel;
import io.railflux.engine.send.HeldFrames;
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

// More than 400 lines: one state machine with three methods to fetch a message.
/**
 * One incoming large message. With memory of the budget, the message is read where the sender encoded it
 * ({@link ExposedWindow.Mapped}) and copied only for consumers that retain it. Otherwise this side reads it from the
 * sender, or grants the sender portions to write. Portions land directly in the message if the fabric can expose it,
 * otherwise in slices of a {@link ExposedWindow.Landing}, from which they are copied. Bytes that a lost subchannel
 * leaves missing are granted again over another subchannel under another number (D1: only after the lost subchannel was
 * drained). Engine thread only.
 */
public final class RendezvousReceive implements LargeMemory.Claimant, BulkLane.Reading {

  /**
   * Receiving half of a large message (RV1, RV2). Allowed transitions:
   *
   * <pre>
   *   AWAITING_MEMORY          --the budget's turn-------------------> MOVING
   *   MOVING                   --every byte is here------------------> LANDED
   *   MOVING                   --cancelled while the peer may write--> ABANDONED
   *   AWAITING_MEMORY, MOVING  --cancelled---------------------------> OVER
   *   LANDED                   --delivered or dropped----------------> OVER
   *   ABANDONED                --FIN of every grant, or drained------> OVER
   *   any                      --the end of the channel--------------> OVER
   * </pre>
   */
  public enum State {
    /** START was read. The node's budget has no room yet, or earlier messages have precedence. */
    AWAITING_MEMORY,
    /** This side reads, or the peer writes granted portions. */
    MOVING,
    /**
     * The message can be read completely and waits for its turn. It is acknowledged unless it lies in the sender's
     * memory.
     */
    LANDED,
    /** Dropped. The memory is pinned until nothing can land in it any more. */
    ABANDONED,
    OVER;

    public boolean canBecome(State next) {
      return switch (this) {
        case AWAITING_MEMORY -> next == MOVING || next == OVER;
        case MOVING -> next == LANDED || next == ABANDONED || next == OVER;
        case LANDED, ABANDONED -> next == OVER;
        case OVER -> false;
      };
    }
  }

  private final RendezvousReceives owner;
  private final long id;
  private final RendezvousReceives.Receiver receiver;
  private final HeldFrames.Copy header;
  private final int lengthBytes;

  private State state = State.AWAITING_MEMORY;
  private PooledBuffer memory;
  // The buffer lent by the pool. The new owner of the message may have returned it while
  // registrations still refer to it.
  private ByteBuffer landing;
  // Portions to be written; null until memory is reserved.
  private PortionGrants grants;

  // The message in the sender's memory; null if it is not, or no longer, read in place.
  private ByteBuffer view;
  private ExposedWindow.Mapped lookedInto;

  // The subchannel of the reads; null if the message is not, or no longer, fetched by reads.
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

  /** @param receiver receives the message */
  RendezvousReceive(
      RendezvousReceives owner,
      RendezvousStart start,
      RendezvousReceives.Receiver receiver,
      HeldFrames.Copy header) {
    this.owner = owner;
    this.id = start.transfer();
    this.offer = start;
    this.lengthBytes = start.lengthBytes();
    this.receiver = receiver;
    this.header = header;
  }

  public long id() {
    return id;
  }

  int lengthBytes() {
    return lengthBytes;
  }

  RendezvousReceives.Receiver receiver() {
    return receiver;
  }

  State state() {
    return state;
  }

  boolean hasLanded() {
    return state == State.LANDED;
  }

  long arrivedNanos() {
    return header.arrivedNanos();
  }

  private void become(State newState) {
    if (!state.canBecome(newState)) {
      throw new IllegalStateException("large message " + id + ": " + state + " to " + newState);
    }
    state = newState;
  }

  /** Begins in the next cycle: the call may come from a user's callback, in which nothing else is delivered. */
  @Override
  public void onMemoryAvailable() {
    if (!toBegin) {
      toBegin = true;
      owner.beginSoon(this);
    }
  }

  /** Begins as soon as the budget has room. May deliver the message. */
  public void begin() {
    toBegin = false;
    if (state != State.AWAITING_MEMORY) {
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
      // Messages behind this message may begin soon, too.
      budget.serve();
      become(State.MOVING);
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
    Subchannel subchannel = offer.isReadable() ? owner.paths.find(offer.subchannel()) : null;
    if (subchannel == null) {
      return false;
    }
    return subchannel.capabilities().mapped() ? look(subchannel) : read(subchannel);
  }

  private boolean look(Subchannel subchannel) {
    ExposedWindow.Mapped window = subchannel.lane().peerWindow();
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
    // A source that can be read is a region of its own.
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
    subchannel.lane().add(line(), this);
    return true;
  }

  /** Returns the line of the reads. Reads of one stream are sequential; requests do not wait for each other. */
  private Object line() {
    return receiver.isOrdered() ? receiver : this;
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
    var registrations = owner.registrations.of(rail);
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
   * Returns the read time for {@link RendezvousDone}, in nanoseconds. A completion observed late by more than a tenth
   * of the transfer time gives no reading (MR6: V 7.1.2).
   */
  long readNanos() {
    if (lengthBytes == 0 || readDone < lengthBytes) {
      return 0;
    }
    boolean late = owner.engine.unseenNanos() * 10 > readNanos;
    return late ? RendezvousDone.LATE : Math.min(readNanos, RendezvousDone.MAX_NANOS);
  }

  @Override
  public void flushed() {
    reads--;
  }

  /** Handles the arrival of further bytes of the message. */
  private void landed() {
    int landedBytes = readDone + grants.landedBytes();
    owner.traffic.moved(landedBytes - countedBytes);
    countedBytes = landedBytes;
    if (state == State.MOVING && landedBytes == lengthBytes) {
      land();
    } else {
      finishAbandoned();
    }
  }

  private void land() {
    become(State.LANDED);
    hide();
    owner.landed(this);
  }

  /** Revokes the peer's access, so that no peer can change a delivered message. */
  private void hide() {
    grants.hide();
    if (source != null) {
      source.close();
      source = null;
    }
  }

  private void askIfMoving() {
    if (state == State.MOVING) {
      ask();
    }
  }

  private void ask() {
    if (!asking) {
      asking = true;
      owner.ask(this);
    }
  }

  void grantsNoMore() {
    asking = false;
  }

  /** Grants the next portion over {@code subchannel}. */
  PortionGrants.Result grantNext(Subchannel subchannel) {
    return state == State.MOVING
        ? grants.grantNext(subchannel)
        : PortionGrants.Result.NOTHING_TO_GRANT;
  }

  /** Handles a completed portion. */
  void onFin(int number, Subchannel carrier) throws ProtocolViolation {
    if (grants == null) {
      throw new ProtocolViolation("RNDZ_FIN of grant " + number + " before anything was granted");
    }
    grants.onFin(number, carrier, state == State.MOVING);
    landed();
    askIfMoving();
  }

  /** Handles the loss of a subchannel: no more reads go through it. */
  void lost(Subchannel subchannel) {
    if (readBy == subchannel) {
      subchannel.lane().remove(line(), this);
    }
    if (grants != null) {
      grants.lost(subchannel);
      askIfMoving();
    }
  }

  /**
   * Handles the drain of a subchannel: nothing lands through it any more. Its missing bytes are requested over another
   * subchannel.
   */
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

  /** Abandons the message, which is no longer wanted. */
  public void abandon() {
    switch (state) {
      case AWAITING_MEMORY -> {
        owner.memory().forget(this);
        over();
      }
      case MOVING -> {
        if (readBy != null) {
          readBy.lane().remove(line(), this);
        }
        become(State.ABANDONED);
        finishAbandoned();
      }
      case LANDED -> over();
      case ABANDONED, OVER -> {}
    }
  }

  private void finishAbandoned() {
    if (state == State.ABANDONED && reads == 0 && !grants.areOut()) {
      hide();
      over();
    }
  }

  private void over() {
    boolean reported = state == State.LANDED && !isInPlace();
    become(State.OVER);
    release();
    owner.over(this, reported);
  }

  /** Returns whether the message still lies in the memory of its sender. */
  boolean isInPlace() {
    return view != null;
  }

  /** Releases the resources of a message that was not taken over. */
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
    registered.forEach(rail -> owner.registrations.of(rail).release(landing));
    registered.clear();
  }

  /** Reads the message as a frame, which owns the memory until the consumer takes it. */
  public void readInto(ReceivedFrame frame, int type) throws ProtocolViolation {
    header.readInto(frame);
    if (view == null) {
      frame.carry(type, memory, lengthBytes);
    } else {
      frame.carryInPlace(type, view, memory);
    }
  }

  /** Ends the receive after delivery. Memory that {@code frame} still owns is released. */
  public void delivered(ReceivedFrame frame) {
    become(State.OVER);
    if (frame.forgetPayload()) {
      unregister();
      memory = null;
    }
    boolean inPlace = isInPlace();
    release();
    if (inPlace) {
      owner.sendArrived(this);
    }
    owner.over(this, true);
  }

  /** Ends the receive. The channel has ended and its endpoints are closed. */
  void end() {
    if (state != State.OVER) {
      become(State.OVER);
      release();
    }
  }
}
