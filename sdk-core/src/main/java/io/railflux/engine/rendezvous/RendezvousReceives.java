package io.railflux.engine.rendezvous;

import io.railflux.engine.base.EngineConfig;
import io.railflux.engine.base.EngineContext;
import io.railflux.engine.base.LargeMemory;
import io.railflux.engine.base.LongMap;
import io.railflux.engine.base.ProtocolViolation;
import io.railflux.engine.base.Registrations;
import io.railflux.engine.base.Timers;
import io.railflux.engine.path.LargeTraffic;
import io.railflux.engine.path.PathRepository;
import io.railflux.engine.path.SessionContext;
import io.railflux.engine.path.Striper;
import io.railflux.engine.path.Subchannel;
import io.railflux.engine.send.ControlFrame;
import io.railflux.engine.send.ControlQueue;
import io.railflux.engine.send.HeldFrames;
import io.railflux.wire.FrameType;
import io.railflux.wire.ReceivedFrame;
import io.railflux.wire.RendezvousDone;
import io.railflux.wire.RendezvousReply;
import io.railflux.wire.RendezvousStart;
import io.railflux.wire.RequestBody;
import java.util.ArrayDeque;
import java.util.List;

/**
 * The incoming large messages of one peer. Each START is answered by exactly one DONE: when the message is in memory or
 * was read in the sender's memory. An unwanted message is answered when nothing lands for it any more. Engine thread
 * only.
 */
public final class RendezvousReceives {

  /** Finds the receiver of each announced large message. Engine thread only. */
  public interface Receivers {

    /** Begins or refuses the large message that {@code frame} announces. */
    void onLarge(ReceivedFrame frame, RendezvousStart start) throws ProtocolViolation;
  }

  /** Receives large messages: a stream, or the requests of a peer. Engine thread only. */
  public interface Receiver {

    /**
     * Returns whether messages are delivered in the order of their announcement. The first message then has precedence.
     */
    boolean isOrdered();

    /** Reports that all of a large message can be read by this node. */
    void onLanded(RendezvousReceive receive);

    /** Reports that this node has no memory for a large message. */
    void onNoMemory(RendezvousReceive receive, RuntimeException cause);
  }

  /** Equals the bound that the peer observes. Landed messages that wait for their turn do not count. */
  private static final int MAX_UNDER_WAY = RendezvousSends.MAX_TRANSFERS;

  private static final long AGAIN_NANOS = 10_000_000;

  final EngineContext engine;
  final PathRepository paths;
  final List<Subchannel> live;
  final Registrations registrations;
  final Striper striper;
  final LargeTraffic traffic;
  private final Timers timers;
  private final LargeMemory memory;
  private final int maxMessageBytes;
  private final int portionBytes;
  private final ControlQueue control;
  private final LongMap<RendezvousReceive> transfers = new LongMap<>();
  private final ArrayDeque<RendezvousReceive> asking = new ArrayDeque<>();
  private final ArrayDeque<RendezvousReceive> evicted = new ArrayDeque<>();
  private final ArrayDeque<RendezvousReceive> beginning = new ArrayDeque<>();
  private long lastTransfer;
  private int underWay;
  private int nextRail;
  private boolean askingLater;
  private boolean ended;

  RendezvousReceives(
      SessionContext session, ControlQueue control, Striper striper, LargeTraffic traffic) {
    this.engine = session.engine();
    this.paths = session.paths();
    this.live = session.live();
    this.timers = engine.timers();
    this.memory = engine.landingMemory();
    this.registrations = engine.registrations();
    EngineConfig config = engine.config();
    this.maxMessageBytes = config.limits().maxMessageBytes();
    this.portionBytes = config.large().pieces().portionBytes();
    this.control = control;
    this.striper = striper;
    this.traffic = traffic;
  }

  LargeMemory memory() {
    return memory;
  }

  int portionBytes() {
    return portionBytes;
  }

  public int underWay() {
    return underWay;
  }

  public void onStart(ReceivedFrame frame, RendezvousStart start, Receivers receivers)
      throws ProtocolViolation {
    if (start.transfer() - lastTransfer <= 0) {
      throw new ProtocolViolation(
          "RNDZ_START of transfer " + start.transfer() + ", which exists already");
    }
    lastTransfer = start.transfer();
    boolean request = start.kind() == RendezvousStart.REQUEST;
    int most = maxMessageBytes + (request ? RequestBody.ROUTE_ID_BYTES : 0);
    if (start.lengthBytes() > most) {
      throw new ProtocolViolation(
          "RNDZ_START of " + start.lengthBytes() + " B, the agreed limit is " + most + " B");
    }
    if (underWay == MAX_UNDER_WAY) {
      throw new ProtocolViolation("more than " + MAX_UNDER_WAY + " large messages at once");
    }
    underWay++;
    traffic.begun();
    receivers.onLarge(frame, start);
  }

  /** Creates a receive, which the caller begins. */
  public RendezvousReceive create(RendezvousStart start, Receiver receiver, ReceivedFrame frame) {
    HeldFrames.Copy header = HeldFrames.Copy.of(frame, engine.nowNanos());
    RendezvousReceive receive = new RendezvousReceive(this, start, receiver, header);
    transfers.put(receive.id(), receive);
    return receive;
  }

  /** Refuses a message that is not wanted. */
  public void refuse(RendezvousStart start) {
    sendDone(start.transfer(), RendezvousDone.of(RendezvousDone.ABANDONED));
  }

  private void sendDone(long transfer, RendezvousDone done) {
    underWay--;
    ControlFrame frame = new ControlFrame(FrameType.RNDZ_DONE, 0, 0, transfer);
    control.send(frame.body(RendezvousDone.BYTES, done::encode));
  }

  void reply(long transfer, RendezvousReply reply) {
    ControlFrame frame = new ControlFrame(FrameType.RNDZ_REPLY, 0, 0, transfer);
    control.send(frame.body(RendezvousReply.BYTES, reply::encode));
  }

  public void onFin(long transfer, int grant, Subchannel carrier) throws ProtocolViolation {
    RendezvousReceive receive = transfers.get(transfer);
    if (receive != null) {
      receive.onFin(grant, carrier);
    } else if (transfer - lastTransfer > 0) {
      throw new ProtocolViolation("RNDZ_FIN for transfer " + transfer + ", which never began");
    }
  }

  /** Reports the arrival to the peer (D7). The sender no longer uses the message. */
  void sendArrived(RendezvousReceive receive) {
    sendDone(receive.id(), new RendezvousDone(RendezvousDone.ARRIVED, receive.readNanos()));
  }

  /** Handles a message that can be read completely. It is acknowledged unless it lies in the sender's memory. */
  void landed(RendezvousReceive receive) {
    if (ended) {
      // A read completed before its endpoint was closed: no receiver remains to take or answer the
      // message.
      return;
    }
    if (!receive.isInPlace()) {
      sendArrived(receive);
    }
    receive.receiver().onLanded(receive);
  }

  /** Fails the stream of a message for which the JVM has no memory. */
  void fail(RendezvousReceive receive, RuntimeException cause) {
    receive.receiver().onNoMemory(receive, cause);
  }

  void over(RendezvousReceive receive, boolean reported) {
    transfers.remove(receive.id());
    if (!reported && !ended) {
      sendDone(receive.id(), RendezvousDone.of(RendezvousDone.ABANDONED));
    }
  }

  /** Begins the receive in the next {@link #work}, as there may be memory for it. */
  void beginSoon(RendezvousReceive receive) {
    beginning.add(receive);
    engine.keepAwake();
  }

  void ask(RendezvousReceive receive) {
    asking.add(receive);
  }

  /** Schedules another attempt, as no memory can be exposed now. */
  void retryLater() {
    if (!askingLater) {
      askingLater = true;
      // The expiry itself suffices: every cycle examines the waiting receives.
      timers.at(engine.nowNanos() + AGAIN_NANOS, () -> askingLater = false);
    }
  }

  /** Grants portions message by message, as far as possible. Returns the number of granted portions. */
  int work() {
    for (int turns = beginning.size(); turns > 0; turns--) {
      beginning.poll().begin();
    }
    int granted = 0;
    for (int turns = asking.size(); turns > 0; turns--) {
      RendezvousReceive first = asking.poll();
      switch (grantNext(first)) {
        case GRANTED -> {
          granted++;
          asking.add(first);
        }
        case NO_ROOM -> {
          evicted.add(first);
          // Over a single rail, later messages find no room either.
          turns = live.size() > 1 ? turns : 0;
        }
        case NOTHING_TO_GRANT -> first.grantsNoMore();
      }
    }
    while (!evicted.isEmpty()) {
      // Ahead of the messages that got a grant, in their original order.
      asking.addFirst(evicted.pollLast());
    }
    return granted;
  }

  /** Requests a portion over the next rail that has a share of the message, and room. */
  private PortionGrants.Result grantNext(RendezvousReceive receive) {
    PortionGrants.Result all = PortionGrants.Result.NOTHING_TO_GRANT;
    for (int rails = Math.max(1, live.size()); rails > 0; rails--) {
      PortionGrants.Result result = receive.grantNext(nextLive());
      if (result == PortionGrants.Result.GRANTED) {
        return result;
      }
      all = result == PortionGrants.Result.NO_ROOM ? result : all;
    }
    return all;
  }

  private Subchannel nextLive() {
    int count = live.size();
    return count == 0 ? null : live.get(Math.floorMod(nextRail++, count));
  }

  void lost(Subchannel subchannel) {
    transfers.values().forEach(receive -> receive.lost(subchannel));
  }

  void drained(Subchannel subchannel) {
    transfers.values().forEach(receive -> receive.drained(subchannel));
  }

  /** Stops reporting to the peer because the channel ends. */
  void ending() {
    ended = true;
    transfers.values().forEach(memory::forget);
    asking.clear();
    beginning.clear();
  }

  /** Ends all receives. The channel has ended and its endpoints are closed. */
  void end() {
    transfers.values().forEach(RendezvousReceive::end);
    transfers.clear();
  }
}
