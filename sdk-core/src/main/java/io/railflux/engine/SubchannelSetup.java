package io.railflux.engine;

import io.railflux.fabric.Access;
import io.railflux.fabric.Capabilities;
import io.railflux.fabric.Endpoint;
import io.railflux.fabric.ExposedRegion;
import io.railflux.fabric.LocalMemory;
import io.railflux.fabric.RemoteAccessException;
import io.railflux.fabric.RemoteRegion;
import io.railflux.wire.Bits256;
import io.railflux.wire.ControlWords;
import io.railflux.wire.Grant;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Makes a subchannel of an endpoint: first what the peer may write into, later how this side writes.
 *
 * @param messages of the handshake; the subchannel's from then on
 */
record SubchannelSetup(Engine engine, Rail rail, Endpoint endpoint, LocalMemory messages) {

  /** A sealed frame is staged in memory as large as the peer's ring: no peer's word may cost much more. */
  private static final int STAGED_BYTES = 16 << 20;

  /** What control frames need on a further path; it takes any of them with what is left free for others. */
  static final int FURTHER_RING_BYTES = 16 << 10;

  /**
   * Exposes ring and words.
   *
   * @param further see {@link Subchannel#further}
   * @param sealing null: frames are not sealed
   */
  Subchannel expose(int id, boolean further, Sealing sealing) {
    Capabilities capabilities = rail.fabric().capabilities();
    ExposedRegion ring = endpoint.expose(ringBytes(further), Access.REMOTE_WRITE);
    ExposedRegion words = endpoint.expose(ControlWords.BYTES, Access.REMOTE_WRITE);
    LocalMemory scratch = null;
    if (!capabilities.mapped()) {
      scratch = rail.fabric().register(direct(PostedRingWriter.scratchBytes(capabilities)));
    }
    Subchannel.Memory memory = new Subchannel.Memory(ring, words, scratch, messages);
    return new Subchannel(id, further, rail, endpoint, memory, sealing, engine.nowNanos());
  }

  private int ringBytes(boolean further) {
    return further ? FURTHER_RING_BYTES : engine.config().limits().ringBytes();
  }

  /** What the peer is told of it. */
  Grant grant(Subchannel subchannel) {
    return new Grant(
        subchannel.memory.ring().key(),
        ringBytes(subchannel.further),
        subchannel.memory.words().key(),
        ControlWords.BYTES,
        Bits256.ZERO);
  }

  /** Lets the subchannel write into what the peer granted. */
  void attach(Subchannel subchannel, VirtualChannel channel, Grant grant)
      throws RemoteAccessException {
    Sealing sealing = subchannel.sealing;
    String objection = objection(sealing, grant);
    if (objection != null) {
      throw new RemoteAccessException(objection);
    }
    RemoteRegion ring = endpoint.attach(grant.ringKey(), grant.ringBytes());
    RemoteRegion words = endpoint.attach(grant.wordsKey(), grant.wordsBytes());
    OutgoingRing outgoing = new OutgoingRing(grant.ringBytes());
    boolean mapped = ring.mapped() != null;
    if (!mapped && !channel.sendPath().leaveRings()) {
      throw new RemoteAccessException(
          "what is under way in shared memory has no room in the log of this side now");
    }
    channel.paths().joins(mapped);
    ByteBuffer source = sealing != null
        ? direct(grant.ringBytes())
        : mapped ? null : channel.log().memory();
    PathPace pace = pace();
    RingWriter writer;
    if (mapped) {
      writer = new MappedRingWriter(outgoing, ring.mapped(), words.mapped());
    } else {
      LocalMemory log = rail.fabric().register(source);
      subchannel.ownLog(log);
      PostedRingWriter.Targets targets =
          new PostedRingWriter.Targets(log, subchannel.memory.scratch(), ring, words);
      writer =
          new PostedRingWriter(outgoing, endpoint, targets, rail.fabric().capabilities(), pace);
    }
    subchannel.attach(
        sealing == null ? writer : new SealedRingWriter(writer, source, sealing),
        new BulkLane(subchannel, channel.largeConfig().pieces(), engine::nowNanos, pace, pace()),
        mapped ? null : tellPace(subchannel),
        channel.session().hello().attempt().firstPsn());
  }

  private TellPace tellPace(Subchannel subchannel) {
    return new TellPace(
        subchannel.memory.ring().lengthBytes(), engine.config().timing().detectNanos());
  }

  private PathPace pace() {
    return new PathPace(engine::nowNanos, engine.config().timing().controlWaitNanos());
  }

  /** What is wrong with the ring the peer granted, or null. */
  String objection(Sealing sealing, Grant grant) {
    int most = Math.max(STAGED_BYTES, engine.config().limits().ringBytes());
    if (sealing == null || grant.ringBytes() <= most) {
      return null;
    }
    return "a ring of " + grant.ringBytes() + " B is too large where frames are encrypted, at most "
        + most + "; set ringBytes of node '" + engine.nodeName() + "' as high, or the peer's lower";
  }

  private static ByteBuffer direct(int bytes) {
    return ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }
}
