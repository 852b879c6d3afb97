package io.railflux.engine;

import io.railflux.wire.AddressesFrame;
import io.railflux.wire.ErrorFrame;
import io.railflux.wire.FrameFlags;
import io.railflux.wire.FrameType;
import io.railflux.wire.GoodbyeFrame;
import io.railflux.wire.MalformedFrameException;
import io.railflux.wire.OpenFrame;
import io.railflux.wire.ReceivedFrame;
import io.railflux.wire.RejectFrame;
import io.railflux.wire.RendezvousDone;
import io.railflux.wire.RendezvousFin;
import io.railflux.wire.RendezvousReply;
import io.railflux.wire.ResumeInfo;
import java.util.TreeMap;

/**
 * Validate → de-duplicate → dispatch, for the frames of all rings of one peer. Messages and the end of a
 * stream go to it at once, which orders them (D3); other control frames act in sequence, except RESUME and
 * RETIRE, which must get past the gap they mend or are about. Engine thread only.
 */
final class ReceivePath implements IncomingRing.FrameHandler {

  private final VirtualChannel channel;
  private final ReceiveWindow window;
  private final TreeMap<Long, FrameCopy> heldControl = new TreeMap<>((a, b) -> Long.signum(a - b));
  private final ReceivedFrame reader = new ReceivedFrame();
  private Subchannel source;
  private String violation;
  private boolean heartbeat;

  ReceivePath(VirtualChannel channel, ReceiveWindow window) {
    this.channel = channel;
    this.window = window;
  }

  ReceiveWindow window() {
    return window;
  }

  /** What the peer did wrong, or null. */
  String violation() {
    return violation;
  }

  /** Whether a heartbeat came since the last call. */
  boolean takeHeartbeat() {
    boolean came = heartbeat;
    heartbeat = false;
    return came;
  }

  /** Reads what arrived over one subchannel; returns how many messages and other frames. */
  int poll(Subchannel subchannel, int limit) {
    source = subchannel;
    int count = subchannel.incoming.poll(this, limit);
    channel.streams().countReceived();
    if (violation == null) {
      violation = subchannel.incoming.violation();
    }
    return count;
  }

  @Override
  public boolean onFrame(ReceivedFrame frame) {
    String wrong = null;
    channel.engine().expectMore(source.incoming.hasMore() || frame.type() == FrameType.BATCH);
    if (frame.has(FrameFlags.PIGGYBACK)) {
      wrong = channel.onPositions(source, frame.creditPosition(), frame.ackPsn());
    }
    heartbeat |= frame.type() == FrameType.HEARTBEAT;
    // Frames of a later version count in the sequence; nothing else is known of them.
    if (wrong == null && FrameType.sequenced(frame.type())) {
      wrong = onSequenced(frame);
    }
    if (wrong != null) {
      violation = wrong;
      return false;
    }
    return !channel.isClosed();
  }

  private String onSequenced(ReceivedFrame frame) {
    if (FrameType.isMessages(frame.type()) && window.acceptNext(frame.psn())) {
      return channel.streams().onData(frame);
    }
    return onSequencedInAnyOrder(frame);
  }

  private String onSequencedInAnyOrder(ReceivedFrame frame) {
    return switch (window.accept(frame.psn())) {
      case DUPLICATE -> {
        channel.counters().duplicate();
        yield null;
      }
      case OUTSIDE ->
        "sequence number " + frame.psn() + " is beyond the window at " + window.expected();
      case AHEAD -> isOrderedElsewhere(frame) ? dispatch(frame) : holdControl(frame);
      case NEXT -> {
        String wrong = dispatch(frame);
        yield wrong == null && !heldControl.isEmpty() ? releaseControl() : wrong;
      }
    };
  }

  /** A stream that is not known yet cannot order its end: its OPEN may be in the gap. */
  private boolean isOrderedElsewhere(ReceivedFrame frame) {
    return switch (frame.type()) {
      case FrameType.DATA, FrameType.BATCH, FrameType.RESUME -> true;
      // What it is about may have left the gap.
      case FrameType.RETIRE -> true;
      // These answer what was read before them.
      case FrameType.RNDZ_REPLY, FrameType.RNDZ_FIN, FrameType.RNDZ_DONE -> true;
      case FrameType.COMPLETE, FrameType.ERROR -> channel.streams().isReceiving(frame);
      default -> false;
    };
  }

  private String holdControl(ReceivedFrame frame) {
    FrameCopy copy = FrameCopy.of(frame, channel.nowNanos());
    heldControl.put(frame.psn(), copy);
    return channel.holdBudget().take(copy.sizeBytes())
        ? null
        : "control frames beyond a gap exceed the bound of unacknowledged bytes";
  }

  private String releaseControl() {
    String wrong = null;
    while (wrong == null
        && !heldControl.isEmpty()
        && heldControl.firstKey() - window.expected() < 0) {
      FrameCopy copy = heldControl.pollFirstEntry().getValue();
      channel.holdBudget().giveBack(copy.sizeBytes());
      var changed = copy.readInto(reader);
      wrong = changed != null ? changed.text() : dispatch(reader);
    }
    return wrong;
  }

  private String dispatch(ReceivedFrame frame) {
    if (FrameType.isMessages(frame.type())) {
      return channel.streams().onData(frame);
    }
    try {
      return dispatchControl(frame);
    } catch (MalformedFrameException e) {
      return FrameType.name(frame.type()) + " frame: " + e.getMessage();
    }
  }

  private String dispatchRendezvous(ReceivedFrame frame) throws MalformedFrameException {
    Rendezvous large = channel.rendezvous();
    long transfer = frame.streamSeq();
    return switch (frame.type()) {
      case FrameType.RNDZ_START -> large.receives().onStart(frame);
      case FrameType.RNDZ_REPLY ->
        large.sends().onReply(transfer, RendezvousReply.decode(frame.body()));
      case FrameType.RNDZ_FIN ->
        large.receives().onFin(transfer, RendezvousFin.decode(frame.body()).grant(), source);
      default -> large.sends().onDone(transfer, RendezvousDone.decode(frame.body()));
    };
  }

  private String dispatchControl(ReceivedFrame frame) throws MalformedFrameException {
    Streams streams = channel.streams();
    return switch (frame.type()) {
      case FrameType.OPEN -> streams.onOpen(frame, OpenFrame.decode(frame.body()));
      case FrameType.REJECT -> streams.onReject(frame.streamId(), RejectFrame.decode(frame.body()));
      case FrameType.DEMAND -> streams.onDemand(frame);
      case FrameType.CANCEL -> streams.onCancel(frame);
      case FrameType.COMPLETE -> streams.onEnd(frame, null);
      case FrameType.ERROR -> streams.onEnd(frame, ErrorFrame.decode(frame.body()));
      case FrameType.REQUEST -> streams.exchanges().onRequest(frame);
      case FrameType.RESUME -> channel.recovery().onResume(ResumeInfo.decode(frame.body()));
      case FrameType.GOODBYE -> {
        String text = GoodbyeFrame.decode(frame.body()).text();
        if (frame.has(FrameFlags.LAST)) {
          channel.onAborted(text);
        } else {
          channel.onGoodbye();
        }
        yield null;
      }
      case FrameType.RNDZ_START, FrameType.RNDZ_REPLY, FrameType.RNDZ_FIN, FrameType.RNDZ_DONE ->
        dispatchRendezvous(frame);
      case FrameType.ADDRESSES -> {
        channel.addresses().heard(AddressesFrame.decode(frame.body()));
        yield null;
      }
      case FrameType.RETIRE -> {
        if (!channel.isConnector()) {
          channel.recovery().onRetire((int) frame.streamSeq());
        }
        yield null;
      }
      default -> null;
    };
  }
}
