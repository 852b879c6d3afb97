package io.railflux.engine;

import io.railflux.wire.ErrorFrame;
import io.railflux.wire.FrameFlags;
import io.railflux.wire.FrameType;
import io.railflux.wire.ReceivedFrame;
import io.railflux.wire.RendezvousStart;

/**
 * Large requests of one peer on their way here: known by number, so that what the requester says of its
 * replies meanwhile is kept, and answered once they landed. Engine thread only.
 */
final class LargeRequests {

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

  private final VirtualChannel channel;
  private final Exchanges exchanges;
  private final LongMap<Awaited> byStream = new LongMap<>();
  private final LongMap<Awaited> byTransfer = new LongMap<>();
  private final ReceivedFrame reader = new ReceivedFrame();

  LargeRequests(VirtualChannel channel, Exchanges exchanges) {
    this.channel = channel;
    this.exchanges = exchanges;
  }

  /** Returns what the peer did wrong, or null. */
  String onStart(ReceivedFrame frame, RendezvousStart start) {
    String wrong = channel.streams().takePeerId(frame.streamId());
    if (wrong != null) {
      return wrong;
    }
    if (exchanges.refusesRequests()) {
      channel.rendezvous().receives().refuse(start);
      return exchanges.refuseAsClosing(frame.streamId());
    }
    RendezvousReceive receive = channel.rendezvous().receives().create(start, null, frame);
    Awaited awaited = new Awaited(frame, receive);
    byStream.put(awaited.streamId, awaited);
    byTransfer.put(receive.id(), awaited);
    receive.begin();
    return null;
  }

  void onLanded(RendezvousReceive receive) {
    Awaited awaited = forget(byTransfer.get(receive.id()));
    String wrong = receive.readInto(reader, FrameType.REQUEST);
    if (wrong == null) {
      wrong = exchanges.answer(reader, awaited.demand, awaited.unbounded);
    }
    receive.delivered(reader);
    if (wrong != null) {
      channel.violated(wrong);
    }
  }

  private Awaited forget(Awaited awaited) {
    byTransfer.remove(awaited.receive.id());
    byStream.remove(awaited.streamId);
    return awaited;
  }

  /** Returns whether the number is that of a request on its way. */
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

  /** Returns whether the number was that of a request on its way, which nobody waits for now. */
  boolean cancel(long streamId) {
    Awaited awaited = byStream.get(streamId);
    if (awaited == null) {
      return false;
    }
    forget(awaited).receive.abandon();
    return true;
  }

  /** There is no memory for it. */
  void drop(RendezvousReceive receive, RuntimeException cause) {
    Awaited awaited = forget(byTransfer.get(receive.id()));
    receive.abandon();
    channel
        .control()
        .send(new ControlFrame(FrameType.ERROR, FrameFlags.REPLY, awaited.streamId, 0)
            .body(ErrorFrame.of(cause)));
  }

  int size() {
    return byStream.size();
  }
}
