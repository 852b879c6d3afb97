package io.railflux.engine.connect;

import io.railflux.engine.base.EngineConfig;
import io.railflux.engine.base.EngineContext;
import io.railflux.engine.base.Rail;
import io.railflux.engine.base.SessionMemory;
import io.railflux.engine.path.BulkLane;
import io.railflux.engine.path.PeerRing;
import io.railflux.engine.path.Subchannel;
import io.railflux.engine.path.SubchannelMemory;
import io.railflux.engine.ring.AckPolicy;
import io.railflux.engine.ring.CongestionWindow;
import io.railflux.engine.ring.MappedRingWriter;
import io.railflux.engine.ring.OutgoingRing;
import io.railflux.engine.ring.PostedRingWriter;
import io.railflux.engine.ring.RingWriter;
import io.railflux.engine.ring.SealedRingWriter;
import io.railflux.engine.seal.Sealing;
import io.railflux.engine.session.VirtualChannel;
import io.railflux.fabric.Access;
import io.railflux.fabric.Capabilities;
import io.railflux.fabric.Endpoint;
import io.railflux.fabric.ExposedRegion;
import io.railflux.fabric.Fabric;
import io.railflux.fabric.LocalMemory;
import io.railflux.fabric.RemoteAccessException;
import io.railflux.fabric.RemoteRegion;
import io.railflux.policy.ChannelKind;
import io.railflux.wire.ControlWords;
import io.railflux.wire.MalformedFrameException;
import io.railflux.wire.handshake.Bits256;
import io.railflux.wire.handshake.Grant;
import io.railflux.wire.handshake.Hello;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Sets up a subchannel on an endpoint: first exposes memory for the peer's writes, later attaches to the peer's memory. */
final class SubchannelSetup {

  /**
   * Memory that a handshake reserves for its subchannel before it grants anything to the peer.
   *
   * @param own memory of the subchannel; null if the fabric allocates all of it
   * @param log memory of the session's log; null if the session has a log or needs none
   * @param handshake memory for a further handshake of a new session; null for an existing session
   */
  record Reservation(SubchannelMemory own, ByteBuffer log, ByteBuffer handshake) {

    /**
     * Required memory.
     *
     * @param layout layout of the subchannel's memory
     * @param logBytes size of the log; 0 for none
     * @param fresh whether the session is new
     */
    record Needs(SubchannelMemory.Layout layout, int logBytes, boolean fresh) {

      int[] sizes() {
        int handshake = fresh ? SessionMemory.HANDSHAKE_BYTES : 0;
        return new int[] {Math.toIntExact(layout.bytes()), logBytes, handshake};
      }

      Reservation of(ByteBuffer[] buffers) {
        SubchannelMemory own = buffers[0] == null ? null : new SubchannelMemory(layout, buffers[0]);
        return new Reservation(own, buffers[1], buffers[2]);
      }
    }

    /** Releases the reservation of a failed handshake. */
    void release() {
      if (own != null) {
        own.release();
      }
    }
  }

  /**
   * Ring size for control frames on a further path. Any control frame fits beside the frames that were not read yet.
   */
  static final int FURTHER_RING_BYTES = 16 << 10;

  private final EngineContext engine;
  private final EngineConfig config;
  private final SessionMemory sessionMemory;
  private final Rail rail;
  private final Fabric fabric;
  private final Endpoint endpoint;
  private final SessionMemory.HandshakeMemory messages;

  /** @param messages memory of the handshake, which the subchannel owns afterwards */
  SubchannelSetup(
      EngineContext engine, Rail rail, Endpoint endpoint, SessionMemory.HandshakeMemory messages) {
    this.engine = engine;
    this.config = engine.config();
    this.sessionMemory = engine.sessionMemory();
    this.rail = rail;
    this.fabric = rail.fabric();
    this.endpoint = endpoint;
    this.messages = messages;
  }

  /**
   * Returns the memory to reserve before {@link #expose} and {@link #attach}.
   *
   * @param channel null for a new session
   * @param further see {@link Subchannel#further}
   * @param kind kind of the first ring
   * @param stagedBytes size of the peer's ring if frames are sealed, as far as known; otherwise 0
   */
  Reservation.Needs needs(
      VirtualChannel channel, boolean further, ChannelKind kind, int stagedBytes) {
    Capabilities capabilities = fabric.capabilities();
    boolean exposesOwn = exposesOwn();
    boolean logged = !capabilities.mapped() || stagedBytes > 0;
    boolean lacksLog = channel == null || channel.lacksLog();
    SubchannelMemory.Layout layout = new SubchannelMemory.Layout(
        exposesOwn ? ringBytes(further, kind) : 0,
        exposesOwn ? ControlWords.BYTES : 0,
        capabilities.mapped() ? 0 : PostedRingWriter.scratchBytes(capabilities),
        stagedBytes);
    int logBytes = logged && lacksLog ? logBytes(channel, kind) : 0;
    return new Reservation.Needs(layout, logBytes, channel == null);
  }

  private int logBytes(VirtualChannel channel, ChannelKind kind) {
    EngineConfig.Limits limits = config.limits();
    return channel == null ? limits.logBytes(limits.ringBytes(kind)) : channel.logBytes();
  }

  /** Returns whether ring and words lie in memory of the engine, which outlives the endpoint. */
  private boolean exposesOwn() {
    Capabilities capabilities = fabric.capabilities();
    return !capabilities.mapped() && capabilities.has(Capabilities.Feature.EXPOSES_USER_MEMORY);
  }

  /**
   * Exposes ring and words.
   *
   * @param further see {@link Subchannel#further}
   * @param kind kind of the ring
   * @param sealing null if frames are not sealed
   * @param own memory reserved for the subchannel; null if none was needed
   */
  Subchannel expose(
      int id, boolean further, ChannelKind kind, Sealing sealing, SubchannelMemory own) {
    boolean ofEngine = exposesOwn();
    ExposedRegion ring = ofEngine
        ? endpoint.expose(own.ring(), Access.REMOTE_WRITE)
        : endpoint.expose(ringBytes(further, kind), Access.REMOTE_WRITE);
    ExposedRegion words = ofEngine
        ? endpoint.expose(own.words(), Access.REMOTE_WRITE)
        : endpoint.expose(ControlWords.BYTES, Access.REMOTE_WRITE);
    LocalMemory scratch = null;
    if (!fabric.capabilities().mapped()) {
      scratch = fabric.register(own.scratch());
    }
    Subchannel.Memory memory = new Subchannel.Memory(ring, words, scratch, messages, own);
    return new Subchannel(id, further, kind, rail, endpoint, memory, sealing, engine.nowNanos());
  }

  private int ringBytes(boolean further, ChannelKind kind) {
    return further ? FURTHER_RING_BYTES : config.limits().ringBytes(kind);
  }

  /** Returns the grant of the subchannel for the peer. */
  Grant grant(Subchannel subchannel) {
    return new Grant(
        subchannel.memory.ring().key(),
        ringBytes(subchannel.further, subchannel.granted.kind()),
        subchannel.memory.words().key(),
        ControlWords.BYTES,
        Bits256.ZERO);
  }

  /** Attaches the subchannel to the memory that the peer granted. */
  void attach(Subchannel subchannel, VirtualChannel channel, Grant grant)
      throws RemoteAccessException {
    VirtualChannel.Session session = channel.session();
    Sealing sealing = subchannel.sealing;
    String objection = objection(sealing, session.maxPeerRingBytes());
    if (objection != null) {
      throw new RemoteAccessException(objection);
    }
    RemoteRegion ring = endpoint.attach(grant.ringKey(), grant.ringBytes());
    RemoteRegion words = endpoint.attach(grant.wordsKey(), grant.wordsBytes());
    OutgoingRing outgoing = new OutgoingRing(grant.ringBytes());
    boolean mapped = ring.mapped() != null;
    if (!channel.admits(mapped)) {
      throw new RemoteAccessException(
          "the log of this side has no room for the frames in flight in shared memory");
    }
    ChannelKind kind = config.limits().kindOf(grant.ringBytes());
    ByteBuffer source = sealing != null
        ? staged(subchannel.memory.own(), grant.ringBytes())
        : mapped ? null : channel.logMemory();
    CongestionWindow pace = pace();
    LocalMemory postedFrom = mapped ? null : fabric.register(source);
    RingWriter writer = mapped
        ? new MappedRingWriter(outgoing, ring.mapped(), words.mapped())
        : posted(subchannel, outgoing, postedFrom, ring, words, pace);
    RingWriter sealed = sealing == null ? writer : new SealedRingWriter(writer, source, sealing);
    subchannel.attach(
        new PeerRing(sealed, ring, postedFrom, kind),
        new BulkLane(subchannel, config.large().pieces(), engine::nowNanos, pace, pace()),
        mapped ? null : ackPolicy(subchannel),
        session.peerFirstPsn());
  }

  private RingWriter posted(
      Subchannel subchannel,
      OutgoingRing outgoing,
      LocalMemory source,
      RemoteRegion ring,
      RemoteRegion words,
      CongestionWindow pace) {
    PostedRingWriter.Targets targets =
        new PostedRingWriter.Targets(source, subchannel.memory.scratch(), ring, words);
    return new PostedRingWriter(outgoing, endpoint, targets, fabric.capabilities(), pace);
  }

  private AckPolicy ackPolicy(Subchannel subchannel) {
    return new AckPolicy(subchannel.memory.ring().lengthBytes(), config.timing().detectNanos());
  }

  private CongestionWindow pace() {
    return new CongestionWindow(engine::nowNanos, config.timing().controlWaitNanos());
  }

  /** Checks the sizes that the peer grants. Only a peer that replaces rings begins with a small one. */
  static void checkSizes(Grant grant, Hello ofPeer, boolean further)
      throws MalformedFrameException {
    int ring = grant.ringBytes();
    int least = EngineConfig.Limits.MIN_RING_BYTES;
    if (further) {
      least = FURTHER_RING_BYTES;
    } else if (ofPeer.changesRings()) {
      least = EngineConfig.Limits.POOLED_RING_BYTES;
    }
    boolean right =
        Integer.bitCount(ring) == 1 && ring >= least && grant.wordsBytes() == ControlWords.BYTES;
    if (!right) {
      throw new MalformedFrameException("ring of " + ring + " B is no power of two in range, or "
          + grant.wordsBytes() + " B of words are not " + ControlWords.BYTES);
    }
  }

  /** Returns the objection to the largest ring that the peer grants, or null. */
  String objection(Sealing sealing, int ringBytes) {
    int most = config.limits().maxStagedBytes();
    if (sealing == null || ringBytes <= most) {
      return null;
    }
    return "a ring of " + ringBytes + " B is too large where frames are encrypted, at most " + most
        + "; set ringBytes of node '" + engine.nodeName()
        + "' to the same value, or lower that of the peer";
  }

  /** Returns staging memory from the reservation, or new memory if the peer's ring is larger than expected. */
  private ByteBuffer staged(SubchannelMemory own, int bytes) throws RemoteAccessException {
    if (own.layout().staged() >= bytes) {
      return own.staged().slice(0, bytes).order(ByteOrder.LITTLE_ENDIAN);
    }
    ByteBuffer[] more = sessionMemory.tryTake(bytes);
    if (more == null) {
      throw new RemoteAccessException(sessionMemory.refusal());
    }
    return more[0];
  }
}
