package io.railflux.engine.session;

import io.railflux.engine.base.EngineConfig;
import io.railflux.engine.base.EngineContext;
import io.railflux.engine.base.ProtocolViolation;
import io.railflux.engine.base.RepeatedWarning;
import io.railflux.engine.base.SessionMemory;
import io.railflux.engine.path.GrantedRing;
import io.railflux.engine.path.PeerRing;
import io.railflux.engine.path.SessionContext;
import io.railflux.engine.path.Subchannel;
import io.railflux.engine.send.ControlFrame;
import io.railflux.engine.send.ControlQueue;
import io.railflux.engine.send.SendPath;
import io.railflux.exceptions.FabricUnavailableException;
import io.railflux.fabric.Access;
import io.railflux.fabric.ExposedRegion;
import io.railflux.fabric.LocalMemory;
import io.railflux.fabric.RemoteAccessException;
import io.railflux.fabric.RemoteRegion;
import io.railflux.metrics.ChannelStatus;
import io.railflux.policy.ChannelKind;
import io.railflux.wire.FrameType;
import io.railflux.wire.RingOffer;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

// More than 400 lines: both directions of a replacement share retries, memory and status.
/**
 * The message channels of one session (CH2, CH3): offers the peer the rings that suit its traffic, and follows the
 * offers of the peer. A session whose peer does not replace rings keeps its first rings. Engine thread only, except
 * {@link #kind} and {@link #switches}.
 */
final class MessageChannels {

  private static final Logger LOG = LoggerFactory.getLogger(MessageChannels.class);

  /** Pause before another attempt to allocate the memory of a ring. */
  private static final long RETRY_NANOS = 1_000_000_000;

  /**
   * Terms of the session.
   *
   * @param changeable whether both sides replace rings
   * @param first kind of the rings that this side grants first
   */
  record Terms(boolean changeable, ChannelKind first) {}

  private static final int MAX_EARLY = 16;

  private final SessionContext session;
  private final EngineContext engine;
  private final EngineConfig.Limits limits;
  private final SessionMemory memory;
  private final ControlQueue control;
  private final SendPath sendPath;
  private final List<Subchannel> live;
  private final boolean changeable;
  private final RepeatedWarning shortage = new RepeatedWarning();

  private final Consumer<String> changed;

  private volatile ChannelKind kind;
  private volatile long sinceNanos;
  private volatile double gainNanos;
  // Written by the engine thread with plain stores; other threads accept slightly old values.
  private long switches;

  // The smallest kind whose ring takes the messages that the peer has to send.
  private ChannelKind leastKind = ChannelKind.POOLED;

  /** Offers for subchannels whose handshakes have not ended at this side. */
  private final Map<Integer, RingOffer> early = new HashMap<>();

  private int askedBytes;
  private boolean pending;
  private boolean allocatingLog;
  private long retryNanos;

  /**
   * @param changed receives a description of each replaced channel
   */
  MessageChannels(
      SessionContext session,
      ControlQueue control,
      SendPath sendPath,
      Terms terms,
      Consumer<String> changed) {
    this.session = session;
    this.engine = session.engine();
    this.limits = engine.config().limits();
    this.memory = engine.sessionMemory();
    this.control = control;
    this.sendPath = sendPath;
    this.live = session.live();
    this.changeable = terms.changeable;
    this.kind = terms.first;
    this.changed = changed;
    this.sinceNanos = engine.nowNanos();
    this.retryNanos = engine.nowNanos();
  }

  /** The kind of channel on which the peer sends to this node. Any thread. */
  ChannelKind kind() {
    return kind;
  }

  /** Number of rings that replaced another, in both directions. Any thread. */
  long switches() {
    return switches;
  }

  /** Sets the kind of channel on which the peer sends to this node; a larger one if its messages need it. */
  void choose(ChannelKind chosen, double gainPerMessageNanos) {
    ChannelKind wanted = chosen.compareTo(leastKind) < 0 ? leastKind : chosen;
    if (changeable && wanted != kind) {
      kind = wanted;
      gainNanos = wanted == chosen ? gainPerMessageNanos : 0;
      sinceNanos = engine.nowNanos();
      pending = true;
    }
  }

  /** Describes the channels. Any thread. */
  ChannelStatus status(long nowNanos) {
    Subchannel first = session.paths().first();
    return new ChannelStatus(
        kind,
        first == null ? 0 : first.incoming.size(),
        Duration.ofNanos(Math.max(0, nowNanos - sinceNanos)),
        gainNanos,
        first == null ? kind : first.peerRing().kind(),
        first == null ? 0 : first.writer().capacityBytes(),
        switches,
        changeable
            ? engine.channelPolicy().toString()
            : "the peer has a version that does not replace channels");
  }

  /** No message arrived for a long time: small rings suffice until the peer asks for others. */
  void quiet() {
    leastKind = ChannelKind.POOLED;
  }

  /** A subchannel joined, whose rings may differ from the chosen ones. */
  void joined(Subchannel subchannel) {
    pending = changeable;
    RingOffer offer = early.remove(subchannel.id);
    if (offer != null) {
      try {
        attach(subchannel, offer);
      } catch (ProtocolViolation e) {
        session.violated(e.getMessage());
      }
    }
  }

  /** Asks the peer for a larger ring if a frame found all rings too small. Returns whether it asked. */
  boolean ask() {
    int wanted = sendPath.wantedRingBytes();
    if (wanted <= askedBytes || !changeable) {
      return false;
    }
    askedBytes = wanted;
    control.send(new ControlFrame(FrameType.RING_WANTED, 0, 0, wanted));
    return true;
  }

  /** Whether a message waits for a larger ring, for which the peer may lack memory. No event ends the wait. */
  boolean awaitsRing() {
    return askedBytes > 0;
  }

  /** Advances the replacements by one step. Returns the number of steps. */
  int work() {
    if (!pending) {
      return 0;
    }
    pending = false;
    int steps = 0;
    for (int i = 0; i < live.size(); i++) {
      Subchannel subchannel = live.get(i);
      if (!subchannel.further) {
        steps += offer(subchannel) ? 1 : 0;
        steps += follow(subchannel) ? 1 : 0;
      }
    }
    fitLog();
    return steps;
  }

  private boolean offer(Subchannel subchannel) {
    GrantedRing granted = subchannel.granted;
    if (granted.state() != GrantedRing.State.STEADY || granted.kind() == kind) {
      return false;
    }
    if (!isRetryDue()) {
      pending = true;
      return false;
    }
    ChannelKind target = kind;
    int bytes = limits.ringBytes(target);
    if (!subchannel.exposesOwn()) {
      return expose(
          subchannel, target, () -> subchannel.endpoint.expose(bytes, Access.REMOTE_WRITE));
    }
    ByteBuffer first = subchannel.firstRing(target);
    ByteBuffer[] taken = first == null ? memory.tryTake(bytes) : new ByteBuffer[] {first};
    if (taken != null) {
      return expose(subchannel, target, taken[0]);
    }
    granted.prepare();
    memory.take(new int[] {bytes}, later -> prepared(subchannel, target, later));
    return false;
  }

  private void prepared(Subchannel subchannel, ChannelKind target, ByteBuffer[] buffers) {
    if (session.isClosed() || subchannel.granted.state() != GrantedRing.State.PREPARING) {
      return;
    }
    pending = true;
    if (buffers == null || target != kind || !subchannel.isLive()) {
      subchannel.granted.abandon();
      if (buffers == null) {
        lacksMemory(memory.refusal());
      }
      return;
    }
    expose(subchannel, target, buffers[0]);
  }

  private boolean expose(Subchannel subchannel, ChannelKind target, ByteBuffer ring) {
    return expose(subchannel, target, () -> subchannel.endpoint.expose(ring, Access.REMOTE_WRITE));
  }

  /** Exposes memory of a ring to the peer. */
  private interface Exposure {
    ExposedRegion expose();
  }

  private boolean expose(Subchannel subchannel, ChannelKind target, Exposure exposure) {
    ExposedRegion region;
    try {
      region = exposure.expose();
    } catch (FabricUnavailableException e) {
      if (subchannel.granted.state() == GrantedRing.State.PREPARING) {
        subchannel.granted.abandon();
      }
      lacksMemory(e.getMessage());
      return false;
    } catch (IllegalStateException e) {
      // The endpoint has failed; its loss is reported by itself.
      return false;
    }
    RingOffer offer = subchannel.granted.offer(region, target);
    control.send(
        new ControlFrame(FrameType.RING_OFFER, 0, 0, 0).body(RingOffer.BYTES, offer::encode));
    return true;
  }

  private void retryLater() {
    pending = true;
    retryNanos = engine.nowNanos() + RETRY_NANOS;
    engine.timers().at(retryNanos, engine::keepAwake);
  }

  private boolean isRetryDue() {
    return engine.nowNanos() - retryNanos >= 0;
  }

  private void lacksMemory(String reason) {
    retryLater();
    if (shortage.isDue(engine.nowNanos())) {
      LOG.warn(
          "{} keeps its present channel, for lack of memory for a ring of {} B: {}{}",
          session.description(),
          limits.ringBytes(kind),
          reason,
          shortage.sinceLastReport());
    }
  }

  /** Handles the peer's request for a larger ring, within the largest kind that the policy permits. */
  void onWanted(long ringBytes) {
    for (ChannelKind candidate : ChannelKind.values()) {
      boolean suffices = limits.ringBytes(candidate) >= ringBytes;
      if (suffices || candidate == engine.channelPolicy().largest()) {
        leastKind = candidate.compareTo(leastKind) > 0 ? candidate : leastKind;
        break;
      }
    }
    choose(kind, 0);
  }

  /**
   * Handles an offer of the peer. An offer may overtake the end of the subchannel's handshake, and waits for it. An
   * offer for a subchannel that this side lost is void.
   */
  void onOffer(RingOffer offer) throws ProtocolViolation {
    if (!changeable) {
      throw new ProtocolViolation("an offer of a ring without the feature");
    }
    Subchannel subchannel = session.paths().find(offer.subchannel());
    if (subchannel != null) {
      attach(subchannel, offer);
    } else if (early.size() < MAX_EARLY) {
      early.put(offer.subchannel(), offer);
    } else {
      decline(offer.subchannel());
    }
  }

  private void decline(int subchannelId) {
    control.send(new ControlFrame(FrameType.RING_DECLINED, 0, 0, subchannelId));
  }

  private void attach(Subchannel subchannel, RingOffer offer) throws ProtocolViolation {
    if (subchannel.further || subchannel.peerRing().state() == PeerRing.State.OFFERED) {
      throw new ProtocolViolation("an offer of a ring for " + subchannel + " that is not due");
    }
    try {
      attachRing(subchannel, offer);
    } catch (RemoteAccessException e) {
      // The peer may have fenced the subchannel after the offer, which revokes the ring.
      session.failSubchannel(subchannel, "the offered ring cannot be attached: " + e.getMessage());
    }
  }

  private void attachRing(Subchannel subchannel, RingOffer offer)
      throws RemoteAccessException, ProtocolViolation {
    int bytes = offer.ringBytes();
    int most = subchannel.sealing == null
        ? sendPath.maxRingBytes()
        : Math.min(sendPath.maxRingBytes(), limits.maxStagedBytes());
    if (bytes < EngineConfig.Limits.POOLED_RING_BYTES || bytes > most) {
      throw new ProtocolViolation("an offer of a ring of " + bytes + " B, beyond "
          + EngineConfig.Limits.POOLED_RING_BYTES + " to " + most);
    }
    RemoteRegion region = subchannel.endpoint.attach(offer.ringKey(), bytes);
    LocalMemory staged = null;
    if (subchannel.sealing != null) {
      ByteBuffer[] taken = memory.tryTake(bytes);
      if (taken == null) {
        LOG.info("{}: a larger ring is declined: {}", session.description(), memory.refusalNow());
        region.close();
        decline(subchannel.id);
        return;
      }
      staged = subchannel.rail.fabric().register(taken[0]);
    }
    ChannelKind[] kinds = ChannelKind.values();
    subchannel.peerRing().offered(region, staged, kinds[Math.min(offer.kind(), kinds.length - 1)]);
    pending = true;
  }

  /** The peer cannot use the offered ring, for lack of memory. The offer is repeated later. */
  void onDeclined(int subchannelId) {
    Subchannel subchannel = session.paths().find(subchannelId);
    if (subchannel != null && subchannel.isLive() && subchannel.granted.declined()) {
      retryLater();
    }
  }

  /**
   * Continues with the offered ring of a subchannel whose present ring ended.
   *
   * @throws ProtocolViolation if the peer left a ring without an offer
   */
  void onRingEnded(Subchannel subchannel) throws ProtocolViolation {
    ChannelKind before = subchannel.granted.kind();
    if (!subchannel.ringEnded()) {
      throw new ProtocolViolation("the end of a ring without the offer of another");
    }
    switches++;
    changed.accept("receives over " + subchannel.granted.kind() + " instead of " + before);
    pending = true;
  }

  private boolean follow(Subchannel subchannel) {
    PeerRing ring = subchannel.peerRing();
    boolean followed = false;
    if (ring.state() == PeerRing.State.OFFERED) {
      sendPath.lookForRoom();
      ChannelKind before = ring.kind();
      followed = ring.follow();
      if (followed) {
        switches++;
        changed.accept("sends over " + ring.kind() + " instead of " + before);
        askedBytes = 0;
        sendPath.ringChanged();
      } else {
        pending = true;
      }
    }
    pending |= ring.releaseFormer(sendPath.window()::isIn);
    return followed;
  }

  /** Adapts the log to the largest ring of the peer. A smaller log waits until no frame is in flight. */
  private void fitLog() {
    int bytes = logBytes();
    pending |= !sendPath.isLogOf(bytes);
    if (!sendPath.lacksLog(bytes) || allocatingLog || !isRetryDue()) {
      return;
    }
    ByteBuffer[] taken = memory.tryTake(bytes);
    if (taken != null) {
      useLog(taken[0]);
      return;
    }
    allocatingLog = true;
    memory.take(new int[] {bytes}, later -> {
      allocatingLog = false;
      if (later == null) {
        retryLater();
      }
      if (later != null && !session.isClosed() && later[0].capacity() == logBytes()) {
        useLog(later[0]);
      }
    });
  }

  private int logBytes() {
    int most = EngineConfig.Limits.POOLED_RING_BYTES;
    for (int i = 0; i < live.size(); i++) {
      most = Math.max(most, live.get(i).writer().capacityBytes());
    }
    return limits.logBytes(most);
  }

  private void useLog(ByteBuffer log) {
    if (sendPath.continueIn(log)) {
      for (int i = 0; i < live.size(); i++) {
        live.get(i).postFrom(log);
      }
    }
  }
}
