package io.railflux.engine.stream;

import io.railflux.engine.base.LongMap;
import io.railflux.engine.base.ProtocolViolation;
import io.railflux.engine.path.SessionContext;
import io.railflux.engine.rendezvous.RendezvousReceive;
import io.railflux.engine.rendezvous.RendezvousReceives;
import io.railflux.engine.send.ControlFrame;
import io.railflux.engine.send.ControlQueue;
import io.railflux.wire.ErrorFrame;
import io.railflux.wire.FrameFlags;
import io.railflux.wire.FrameType;
import io.railflux.wire.ReceivedFrame;
import io.railflux.wire.RendezvousStart;

/**
 * The incoming large requests of one peer, by number. The requester's demand and cancellation are kept meanwhile and
 * apply when the request has landed. Engine thread only.
 */
final class LargeRequests implements RendezvousReceives.Receiver {

  private static final class Awaited {
    private final long streamId;
    private final RendezvousReceive receive;
    private long demand;
    private boolean unbounded;

    Awaited(ReceivedFrame frame, RendezvousReceive receive) {
      this.streamId = frame.streamId();
      this.receive = receive;
      this.demand = frame.streamSeq();
      this.unbounded = frame.has(FrameFlags.UNBOUNDED);
    }
  }

  private final Streams streams;
  private final SessionContext session;
  private final ControlQueue control;
  private final RendezvousReceives receives;
  private final Exchanges exchanges;
  private final LongMap<Awaited> byStream = new LongMap<>();
  private final LongMap<Awaited> byTransfer = new LongMap<>();
  private final ReceivedFrame reader = new ReceivedFrame();

  LargeRequests(Streams streams, Exchanges exchanges) {
    this.streams = streams;
    this.session = streams.session;
    this.control = streams.control;
    this.receives = streams.rendezvous.receives();
    this.exchanges = exchanges;
  }

  void onStart(ReceivedFrame frame, RendezvousStart start) throws ProtocolViolation {
    streams.takePeerId(frame.streamId());
    if (exchanges.refusesRequests()) {
      receives.refuse(start);
      exchanges.refuseAsClosing(frame.streamId());
      return;
    }
    RendezvousReceive receive = receives.create(start, this, frame);
    Awaited awaited = new Awaited(frame, receive);
    byStream.put(awaited.streamId, awaited);
    byTransfer.put(receive.id(), awaited);
    receive.begin();
  }

  @Override
  public boolean isOrdered() {
    return false;
  }

  @Override
  public void onLanded(RendezvousReceive receive) {
    Awaited awaited = forget(byTransfer.get(receive.id()));
    String violation = null;
    try {
      receive.readInto(reader, FrameType.REQUEST);
      exchanges.answer(reader, awaited.demand, awaited.unbounded);
    } catch (ProtocolViolation e) {
      violation = e.getMessage();
    }
    receive.delivered(reader);
    if (violation != null) {
      session.violated(violation);
    }
  }

  private Awaited forget(Awaited awaited) {
    byTransfer.remove(awaited.receive.id());
    byStream.remove(awaited.streamId);
    return awaited;
  }

  /** Returns whether the number belongs to an incoming request. */
  boolean demand(long streamId, long position, boolean withoutBound) {
    Awaited awaited = byStream.get(streamId);
    if (awaited == null) {
      return false;
    }
    if (withoutBound) {
      awaited.unbounded = true;
    } else if (position - awaited.demand > 0) {
      awaited.demand = position;
    }
    return true;
  }

  /** Returns whether the number belonged to an incoming request, which is now unwanted. */
  boolean cancel(long streamId) {
    Awaited awaited = byStream.get(streamId);
    if (awaited == null) {
      return false;
    }
    forget(awaited).receive.abandon();
    return true;
  }

  /** Handles the lack of memory for the request. */
  @Override
  public void onNoMemory(RendezvousReceive receive, RuntimeException cause) {
    Awaited awaited = forget(byTransfer.get(receive.id()));
    receive.abandon();
    control.send(new ControlFrame(FrameType.ERROR, FrameFlags.REPLY, awaited.streamId, 0)
        .body(ErrorFrame.of(cause)));
  }

  int size() {
    return byStream.size();
  }

  /** Ends all requests with the channel and releases the references to their memory. */
  void end() {
    byStream.clear();
    byTransfer.clear();
  }
}
