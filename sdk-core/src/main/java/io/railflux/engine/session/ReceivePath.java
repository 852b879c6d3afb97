package io.railflux.engine.session;

import io.railflux.engine.base.ProtocolViolation;
import io.railflux.engine.path.Subchannel;
import io.railflux.engine.rendezvous.RendezvousProtocol;
import io.railflux.engine.ring.IncomingRing;
import io.railflux.engine.send.HeldFrames;
import io.railflux.engine.send.ReceiveWindow;
import io.railflux.engine.stream.Streams;
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
import io.railflux.wire.RendezvousStart;
import io.railflux.wire.ResumeInfo;
import java.util.TreeMap;

/**
 * Validates, de-duplicates and dispatches the frames of all rings of one peer. Messages and the end of a stream go
 * directly to the stream, which orders them (D3). Other control frames act in sequence, except RESUME and RETIRE, which
 * must overtake the gap that they concern. Engine thread only.
 */
final class ReceivePath implements IncomingRing.FrameHandler {

  private final VirtualChannel channel;
  private final ReceiveWindow window;
  private final HeldFrames.Budget holdBudget;
  private final TreeMap<Long, HeldFrames.Copy> heldControl =
      new TreeMap<>((a, b) -> Long.signum(a - b));
  private final ReceivedFrame reader = new ReceivedFrame();
  private Subchannel source;
  private String violation;
  private boolean heartbeat;

  ReceivePath(VirtualChannel channel, ReceiveWindow window, HeldFrames.Budget holdBudget) {
    this.holdBudget = holdBudget;
    this.channel = channel;
    this.window = window;
  }

  ReceiveWindow window() {
    return window;
  }

  /** Returns the peer's protocol violation, or null. */
  String violation() {
    return violation;
  }

  /** Returns whether a heartbeat arrived since the last call. */
  boolean takeHeartbeat() {
    boolean came = heartbeat;
    heartbeat = false;
    return came;
  }

  /** Reads the arrived frames of one subchannel. Returns the number of messages and other frames. */
  int poll(Subchannel subchannel, int limit) {
    source = subchannel;
    int count = subchannel.incoming.poll(this, limit);
    channel.streams().countReceived();
    if (violation == null) {
      violation = subchannel.incoming.violation();
    }
    return count;
  }

  /** Releases the references to the rings, which are gone at the end of the channel. */
  void end() {
    source = null;
    heldControl.clear();
    reader.forget();
  }

  @Override
  public boolean onFrame(ReceivedFrame frame) {
    channel.engine().expectMore(source.incoming.hasMore() || frame.type() == FrameType.BATCH);
    heartbeat |= frame.type() == FrameType.HEARTBEAT;
    try {
      if (frame.has(FrameFlags.PIGGYBACK)) {
        channel.onPositions(source, frame.creditPosition(), frame.ackPsn());
      }
      // Frames of a later protocol version count in the sequence and are otherwise ignored.
      if (FrameType.sequenced(frame.type())) {
        onSequenced(frame);
      }
    } catch (ProtocolViolation e) {
      violation = e.getMessage();
      return false;
    }
    return !channel.isClosed();
  }

  private void onSequenced(ReceivedFrame frame) throws ProtocolViolation {
    if (FrameType.isMessages(frame.type()) && window.acceptNext(frame.psn())) {
      channel.streams().onData(frame);
    } else {
      onSequencedInAnyOrder(frame);
    }
  }

  private void onSequencedInAnyOrder(ReceivedFrame frame) throws ProtocolViolation {
    switch (window.accept(frame.psn())) {
      case DUPLICATE -> channel.counters().duplicate();
      case OUTSIDE ->
        throw new ProtocolViolation(
            "sequence number " + frame.psn() + " is beyond the window at " + window.expected());
      case AHEAD -> {
        if (isOrderedElsewhere(frame)) {
          dispatch(frame);
        } else {
          holdControl(frame);
        }
      }
      case NEXT -> {
        dispatch(frame);
        releaseControl();
      }
    }
  }

  /**
   * Returns whether the stream orders the frame. An unknown stream cannot order its end, as its OPEN may be in the gap.
   */
  private boolean isOrderedElsewhere(ReceivedFrame frame) {
    return switch (frame.type()) {
      case FrameType.DATA, FrameType.BATCH, FrameType.RESUME -> true;
      // The retired subchannel may have caused the gap.
      case FrameType.RETIRE -> true;
      // These frames answer frames that were read before.
      case FrameType.RNDZ_REPLY, FrameType.RNDZ_FIN, FrameType.RNDZ_DONE -> true;
      case FrameType.COMPLETE, FrameType.ERROR -> channel.streams().isReceiving(frame);
      default -> false;
    };
  }

  private void holdControl(ReceivedFrame frame) throws ProtocolViolation {
    HeldFrames.Copy copy = HeldFrames.Copy.of(frame, channel.nowNanos());
    heldControl.put(frame.psn(), copy);
    if (!holdBudget.take(copy.sizeBytes())) {
      throw new ProtocolViolation(
          "control frames beyond a gap exceed the bound of unacknowledged bytes");
    }
  }

  private void releaseControl() throws ProtocolViolation {
    while (!heldControl.isEmpty() && heldControl.firstKey() - window.expected() < 0) {
      HeldFrames.Copy copy = heldControl.pollFirstEntry().getValue();
      holdBudget.giveBack(copy.sizeBytes());
      copy.readInto(reader);
      dispatch(reader);
    }
  }

  private void dispatch(ReceivedFrame frame) throws ProtocolViolation {
    if (FrameType.isMessages(frame.type())) {
      channel.streams().onData(frame);
      return;
    }
    try {
      dispatchControl(frame);
    } catch (MalformedFrameException e) {
      throw new ProtocolViolation(FrameType.name(frame.type()) + " frame: " + e.getMessage());
    }
  }

  private void dispatchRendezvous(ReceivedFrame frame)
      throws MalformedFrameException, ProtocolViolation {
    RendezvousProtocol large = channel.rendezvous();
    long transfer = frame.streamSeq();
    switch (frame.type()) {
      case FrameType.RNDZ_START ->
        large.receives().onStart(frame, RendezvousStart.decode(frame.body()), channel.streams());
      case FrameType.RNDZ_REPLY ->
        large.sends().onReply(transfer, RendezvousReply.decode(frame.body()));
      case FrameType.RNDZ_FIN ->
        large.receives().onFin(transfer, RendezvousFin.decode(frame.body()).grant(), source);
      default -> large.sends().onDone(transfer, RendezvousDone.decode(frame.body()));
    }
  }

  private void dispatchControl(ReceivedFrame frame)
      throws MalformedFrameException, ProtocolViolation {
    Streams streams = channel.streams();
    switch (frame.type()) {
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
      }
      case FrameType.RNDZ_START, FrameType.RNDZ_REPLY, FrameType.RNDZ_FIN, FrameType.RNDZ_DONE ->
        dispatchRendezvous(frame);
      case FrameType.ADDRESSES -> channel.addresses().heard(AddressesFrame.decode(frame.body()));
      case FrameType.RETIRE -> {
        if (!channel.isConnector()) {
          channel.recovery().onRetire((int) frame.streamSeq());
        }
      }
      default -> {
        // A frame of a later protocol version.
      }
    }
  }
}
