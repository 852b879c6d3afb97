package io.railflux.engine;

import io.railflux.wire.FrameType;
import io.railflux.wire.MalformedFrameException;
import io.railflux.wire.ReceivedFrame;
import io.railflux.wire.RendezvousDone;
import io.railflux.wire.RendezvousReply;
import io.railflux.wire.RendezvousStart;
import io.railflux.wire.RequestBody;
import java.util.ArrayDeque;

/**
 * The large messages of one peer on their way here. Every START is answered by one DONE: when the message
 * is in memory, or was looked at in that of its sender, or when nobody wants it and nothing lands for it
 * any more. Engine thread only.
 */
final class RendezvousReceives {

  /** As what the peer keeps to; those that landed and wait for their turn are not under way. */
  private static final int MOST_UNDER_WAY = RendezvousSends.MOST;

  private static final long AGAIN_NANOS = 10_000_000;

  private final VirtualChannel channel;
  private final LongMap<RendezvousReceive> transfers = new LongMap<>();
  private final ArrayDeque<RendezvousReceive> asking = new ArrayDeque<>();
  private final ArrayDeque<RendezvousReceive> crowdedOut = new ArrayDeque<>();
  private final ArrayDeque<RendezvousReceive> beginning = new ArrayDeque<>();
  private long lastTransfer;
  private int underWay;
  private int nextRail;
  private boolean askingLater;
  private boolean ended;

  RendezvousReceives(VirtualChannel channel) {
    this.channel = channel;
  }

  VirtualChannel channel() {
    return channel;
  }

  LargeMemory memory() {
    return channel.engine().landingMemory();
  }

  int portionBytes() {
    return channel.largeConfig().pieces().portionBytes();
  }

  int underWay() {
    return underWay;
  }

  /** Returns what the peer did wrong, or null. */
  String onStart(ReceivedFrame frame) throws MalformedFrameException {
    RendezvousStart start = RendezvousStart.decode(frame.body());
    if (start.transfer() - lastTransfer <= 0) {
      return "RNDZ_START of transfer " + start.transfer() + ", which was there before";
    }
    lastTransfer = start.transfer();
    boolean request = start.kind() == RendezvousStart.REQUEST;
    int most = channel.limits().maxMessageBytes() + (request ? RequestBody.ROUTE_ID_BYTES : 0);
    if (start.lengthBytes() > most) {
      return "RNDZ_START of " + start.lengthBytes() + " B, at most " + most + " B were agreed on";
    }
    if (underWay == MOST_UNDER_WAY) {
      return "more than " + MOST_UNDER_WAY + " large messages at once";
    }
    underWay++;
    channel.rendezvous().traffic().begun();
    return request
        ? channel.streams().exchanges().large().onStart(frame, start)
        : channel.streams().onLarge(frame, start);
  }

  /** To be begun. */
  RendezvousReceive create(RendezvousStart start, InboundStream stream, ReceivedFrame frame) {
    FrameCopy header = FrameCopy.of(frame, channel.nowNanos());
    RendezvousReceive receive = new RendezvousReceive(this, start, stream, header);
    transfers.put(receive.id(), receive);
    return receive;
  }

  /** Nobody here wants it. */
  void refuse(RendezvousStart start) {
    tellDone(start.transfer(), RendezvousDone.of(RendezvousDone.ABANDONED));
  }

  private void tellDone(long transfer, RendezvousDone done) {
    underWay--;
    ControlFrame frame = new ControlFrame(FrameType.RNDZ_DONE, 0, 0, transfer);
    channel.control().send(frame.body(RendezvousDone.BYTES, done::encode));
  }

  void reply(long transfer, RendezvousReply reply) {
    ControlFrame frame = new ControlFrame(FrameType.RNDZ_REPLY, 0, 0, transfer);
    channel.control().send(frame.body(RendezvousReply.BYTES, reply::encode));
  }

  /** Returns what the peer did wrong, or null. */
  String onFin(long transfer, int grant, Subchannel carrier) {
    RendezvousReceive receive = transfers.get(transfer);
    if (receive != null) {
      return receive.onFin(grant, carrier);
    }
    boolean was = transfer - lastTransfer <= 0;
    return was ? null : "RNDZ_FIN for transfer " + transfer + ", which never began";
  }

  /** Its sender is done with it, and knows it arrived (D7). */
  void tellArrived(RendezvousReceive receive) {
    tellDone(receive.id(), new RendezvousDone(RendezvousDone.ARRIVED, receive.readNanos()));
  }

  /** All of it can be read by this node; it is acknowledged unless it lies in its sender's memory. */
  void landed(RendezvousReceive receive) {
    if (ended) {
      // A read completed before its endpoint was closed: nobody is there to have it, or to answer
      // it.
      return;
    }
    if (!receive.isInPlace()) {
      tellArrived(receive);
    }
    if (receive.stream() != null) {
      receive.stream().onLanded();
    } else {
      channel.streams().exchanges().large().onLanded(receive);
    }
  }

  /** The JVM has no memory for it: its stream fails here. */
  void fail(RendezvousReceive receive, RuntimeException cause) {
    if (receive.stream() != null) {
      receive.stream().leave(cause);
    } else {
      channel.streams().exchanges().large().drop(receive, cause);
    }
  }

  void over(RendezvousReceive receive, boolean told) {
    transfers.remove(receive.id());
    if (!told && !ended) {
      tellDone(receive.id(), RendezvousDone.of(RendezvousDone.ABANDONED));
    }
  }

  /** There may be memory for it: it begins in the next {@link #work}. */
  void beginSoon(RendezvousReceive receive) {
    beginning.add(receive);
    channel.engine().keepAwake();
  }

  void ask(RendezvousReceive receive) {
    asking.add(receive);
  }

  /** No memory can be exposed at the moment. */
  void askLater() {
    if (!askingLater) {
      askingLater = true;
      // That it ran is enough: what asks is looked at in every cycle.
      channel.engine().timers().at(channel.nowNanos() + AGAIN_NANOS, () -> askingLater = false);
    }
  }

  /** Grants what can be granted, message by message; returns how many portions. */
  int work() {
    for (int turns = beginning.size(); turns > 0; turns--) {
      beginning.poll().begin();
    }
    int granted = 0;
    for (int turns = asking.size(); turns > 0; turns--) {
      RendezvousReceive first = asking.poll();
      switch (askFor(first)) {
        case GRANTED -> {
          granted++;
          asking.add(first);
        }
        case NO_ROOM -> {
          crowdedOut.add(first);
          // Over one rail nobody behind it finds any, either.
          turns = channel.live().size() > 1 ? turns : 0;
        }
        case NOTHING_TO_ASK -> first.asksNoMore();
      }
    }
    while (!crowdedOut.isEmpty()) {
      // Before those that got something, in their order.
      asking.addFirst(crowdedOut.pollLast());
    }
    return granted;
  }

  /** Over the next rail that has something to carry of it, and room. */
  private PortionGrants.Asked askFor(RendezvousReceive receive) {
    PortionGrants.Asked all = PortionGrants.Asked.NOTHING_TO_ASK;
    for (int rails = Math.max(1, channel.live().size()); rails > 0; rails--) {
      PortionGrants.Asked asked = receive.askFor(nextLive());
      if (asked == PortionGrants.Asked.GRANTED) {
        return asked;
      }
      all = asked == PortionGrants.Asked.NO_ROOM ? asked : all;
    }
    return all;
  }

  private Subchannel nextLive() {
    int count = channel.live().size();
    return count == 0 ? null : channel.live().get(Math.floorMod(nextRail++, count));
  }

  void lost(Subchannel subchannel) {
    transfers.values().forEach(receive -> receive.lost(subchannel));
  }

  void drained(Subchannel subchannel) {
    transfers.values().forEach(receive -> receive.drained(subchannel));
  }

  /** The channel ends: nothing is told any more. */
  void ending() {
    ended = true;
    transfers.values().forEach(memory()::forget);
    asking.clear();
    beginning.clear();
  }

  /** The channel has ended and its endpoints are closed. */
  void end() {
    transfers.values().forEach(RendezvousReceive::end);
  }
}
