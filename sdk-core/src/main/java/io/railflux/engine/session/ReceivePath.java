package io.railflux.engine.session;

import io.railflux.engine.base.ChannelCounters;
import io.railflux.engine.base.EngineContext;
import io.railflux.engine.base.ProtocolViolation;
import io.railflux.engine.path.SessionContext;
import io.railflux.engine.path.Subchannel;
import io.railflux.engine.rendezvous.RendezvousProtocol;
import io.railflux.engine.ring.IncomingRing;
import io.railflux.engine.ring.OutgoingRing;
import io.railflux.engine.send.HeldFrames;
import io.railflux.engine.send.ReceiveWindow;
import io.railflux.engine.send.SendPath;
import io.railflux.engine.send.SendWindow;
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
import io.railflux.wire.RingOffer;
import java.util.TreeMap;

/**
 * Validates, de-duplicates and dispatches the frames of all rings of one peer, and applies the peer's credit and
 * acknowledgements. Messages and the end of a stream go directly to the stream, which orders them (D3). Other control
 * frames act in sequence, except RESUME, RETIRE and the frames about rings, which must overtake the gap that they concern. Engine thread only.
 */
final class ReceivePath implements IncomingRing.FrameHandler {

  /** Handles the frames that concern the session itself. */
  interface SessionFrames {

    void onResume(ResumeInfo resume) throws ProtocolViolation;

    /** The peer gave a subchannel up that it connected. */
    void onRetire(int subchannelId);

    void onAddresses(AddressesFrame frame);

    /** The peer begins to drain. The session continues until its GOODBYE. */
    void onClosing(String reason);

    /** The peer drained. It sends nothing further. */
    void onGoodbye();

    /** The peer left without a drain. No frames and no acknowledgements arrive any more. */
    void onAborted(String text);

    /** The subchannel carries a frame that the peer did not seal. */
    void onForged(Subchannel subchannel);
  }

  private final SessionContext session;
  private final EngineContext engine;
  private final ChannelCounters counters;
  private final SessionFrames sessionFrames;
  private final Streams streams;
  private final RendezvousProtocol large;
  private final MessageChannels messageChannels;
  private final SendPath sendPath;
  private final SendWindow sent;
  private final ReceiveWindow window;
  private final HeldFrames.Budget holdBudget;
  private final TreeMap<Long, HeldFrames.Copy> heldControl =
      new TreeMap<>((a, b) -> Long.signum(a - b));
  private final ReceivedFrame reader = new ReceivedFrame();
  private Subchannel source;
  private boolean heartbeat;

  ReceivePath(
      SessionContext session,
      SessionFrames sessionFrames,
      Streams streams,
      RendezvousProtocol large,
      MessageChannels messageChannels,
      SendPath sendPath,
      ReceiveWindow window,
      HeldFrames.Budget holdBudget) {
    this.session = session;
    this.engine = session.engine();
    this.counters = session.counters();
    this.sessionFrames = sessionFrames;
    this.streams = streams;
    this.large = large;
    this.messageChannels = messageChannels;
    this.sendPath = sendPath;
    this.sent = sendPath.window();
    this.window = window;
    this.holdBudget = holdBudget;
  }

  /** Returns whether a heartbeat arrived since the last call. */
  boolean takeHeartbeat() {
    boolean came = heartbeat;
    heartbeat = false;
    return came;
  }

  /** Reads frames of one ring, live or being fenced. Returns the number of messages and other frames. */
  int read(Subchannel subchannel, int limit) {
    source = subchannel;
    int count = 0;
    ProtocolViolation violation = null;
    try {
      count = subchannel.incoming.poll(this, limit);
      if (subchannel.incoming.hasEnded()) {
        messageChannels.onRingEnded(subchannel);
      }
    } catch (ProtocolViolation e) {
      violation = e;
    }
    streams.countReceived();
    engine.expectMore(false);
    sendPath.publishGathered();
    if (count > 0) {
      subchannel.onReceived(engine.nowNanos());
      engine.countRead(count);
    }
    if (violation != null) {
      session.violated(violation.getMessage());
    } else if (subchannel.isForged() && subchannel.isLive()) {
      sessionFrames.onForged(subchannel);
    }
    return count;
  }

  /** Applies the words that the peer wrote. Returns whether the peer acknowledged frames. */
  boolean takePositions(Subchannel subchannel) {
    long before = sent.acknowledged();
    subchannel.readWords(engine.nowNanos());
    try {
      onPositions(subchannel, subchannel.creditWord(), sendPath.ackOf(subchannel.ackWord()));
    } catch (ProtocolViolation e) {
      session.violated(e.getMessage());
    }
    return before != sent.acknowledged();
  }

  /** Applies credit and acknowledgement of the peer, from words or from a frame. */
  void onPositions(Subchannel subchannel, long credit, long ackPsn) throws ProtocolViolation {
    OutgoingRing ring = subchannel.writer() == null ? null : subchannel.writer().ring();
    if (ring != null && !ring.isValidCredit(credit)) {
      if (credit - ring.written() > 0) {
        throw new ProtocolViolation(
            "credit " + credit + " beyond what was written, " + ring.written());
      }
    } else if (ring != null && ring.credit(credit)) {
      subchannel.credited(engine.nowNanos());
    }
    if (ackPsn - sent.next() > 0) {
      throw new ProtocolViolation(
          "acknowledgement of " + ackPsn + " beyond what was sent, " + sent.next());
    }
    if (ackPsn - sent.acknowledged() > 0) {
      counters.acknowledged(sent.acknowledge(ackPsn));
      subchannel.progressed(engine.nowNanos());
      subchannel.onReceived(engine.nowNanos());
    }
  }

  /** Releases the references to the rings, which are gone at the end of the channel. */
  void end() {
    source = null;
    heldControl.clear();
    reader.forget();
  }

  @Override
  public boolean onFrame(ReceivedFrame frame) throws ProtocolViolation {
    engine.expectMore(source.incoming.hasMore() || frame.type() == FrameType.BATCH);
    heartbeat |= frame.type() == FrameType.HEARTBEAT;
    if (frame.has(FrameFlags.PIGGYBACK)) {
      onPositions(source, frame.creditPosition(), frame.ackPsn());
    }
    // Frames of a later protocol version count in the sequence and are otherwise ignored.
    if (FrameType.sequenced(frame.type())) {
      onSequenced(frame);
    }
    return !session.isClosed();
  }

  private void onSequenced(ReceivedFrame frame) throws ProtocolViolation {
    if (FrameType.isMessages(frame.type()) && window.acceptNext(frame.psn())) {
      streams.onData(frame);
    } else {
      onSequencedInAnyOrder(frame);
    }
  }

  private void onSequencedInAnyOrder(ReceivedFrame frame) throws ProtocolViolation {
    switch (window.accept(frame.psn())) {
      case DUPLICATE -> counters.duplicate();
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
      // The frames of the gap may wait for the offered ring.
      case FrameType.RING_OFFER, FrameType.RING_WANTED, FrameType.RING_DECLINED -> true;
      // These frames answer frames that were read before.
      case FrameType.RNDZ_REPLY, FrameType.RNDZ_FIN, FrameType.RNDZ_DONE -> true;
      case FrameType.COMPLETE, FrameType.ERROR -> streams.isReceiving(frame);
      default -> false;
    };
  }

  private void holdControl(ReceivedFrame frame) throws ProtocolViolation {
    HeldFrames.Copy copy = HeldFrames.Copy.of(frame, engine.nowNanos());
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
      streams.onData(frame);
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
    long transfer = frame.streamSeq();
    switch (frame.type()) {
      case FrameType.RNDZ_START ->
        large.receives().onStart(frame, RendezvousStart.decode(frame.body()), streams);
      case FrameType.RNDZ_REPLY ->
        large.sends().onReply(transfer, RendezvousReply.decode(frame.body()));
      case FrameType.RNDZ_FIN ->
        large.receives().onFin(transfer, RendezvousFin.decode(frame.body()).grant(), source);
      default -> large.sends().onDone(transfer, RendezvousDone.decode(frame.body()));
    }
  }

  private void dispatchControl(ReceivedFrame frame)
      throws MalformedFrameException, ProtocolViolation {
    switch (frame.type()) {
      case FrameType.OPEN -> streams.onOpen(frame, OpenFrame.decode(frame.body()));
      case FrameType.REJECT -> streams.onReject(frame.streamId(), RejectFrame.decode(frame.body()));
      case FrameType.DEMAND -> streams.onDemand(frame);
      case FrameType.POSITION -> streams.onPosition(frame);
      case FrameType.AWAITING ->
        streams
            .directory()
            .peerAwaits(GoodbyeFrame.decode(frame.body()).text(), !frame.has(FrameFlags.LAST));
      case FrameType.CANCEL -> streams.onCancel(frame);
      case FrameType.COMPLETE -> streams.onEnd(frame, null);
      case FrameType.ERROR -> streams.onEnd(frame, ErrorFrame.decode(frame.body()));
      case FrameType.REQUEST -> streams.exchanges().onRequest(frame);
      case FrameType.RESUME -> sessionFrames.onResume(ResumeInfo.decode(frame.body()));
      case FrameType.GOODBYE -> {
        String text = GoodbyeFrame.decode(frame.body()).text();
        if (frame.has(FrameFlags.LAST)) {
          sessionFrames.onAborted(text);
        } else {
          sessionFrames.onGoodbye();
        }
      }
      case FrameType.CLOSING ->
        sessionFrames.onClosing(GoodbyeFrame.decode(frame.body()).text());
      case FrameType.RNDZ_START, FrameType.RNDZ_REPLY, FrameType.RNDZ_FIN, FrameType.RNDZ_DONE ->
        dispatchRendezvous(frame);
      case FrameType.ADDRESSES -> sessionFrames.onAddresses(AddressesFrame.decode(frame.body()));
      case FrameType.RETIRE -> sessionFrames.onRetire((int) frame.streamSeq());
      case FrameType.RING_OFFER -> messageChannels.onOffer(RingOffer.decode(frame.body()));
      case FrameType.RING_WANTED -> messageChannels.onWanted(frame.streamSeq());
      case FrameType.RING_DECLINED -> messageChannels.onDeclined((int) frame.streamSeq());
      default -> {
        // A frame of a later protocol version.
      }
    }
  }
}
