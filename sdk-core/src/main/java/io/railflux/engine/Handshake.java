package io.railflux.engine;

import io.railflux.exceptions.FabricUnavailableException;
import io.railflux.fabric.Access;
import io.railflux.fabric.Capabilities;
import io.railflux.fabric.Completion;
import io.railflux.fabric.Endpoint;
import io.railflux.fabric.ExposedRegion;
import io.railflux.fabric.LocalMemory;
import io.railflux.fabric.Opcode;
import io.railflux.fabric.RemoteAccessException;
import io.railflux.fabric.RemoteRegion;
import io.railflux.fabric.WorkRequest;
import io.railflux.wire.ControlWords;
import io.railflux.wire.Hello;
import io.railflux.wire.HelloReject;
import io.railflux.wire.MalformedFrameException;
import io.railflux.wire.Versions;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * HELLO and its answer over a fresh endpoint: who both sides are, which session and subchannel this is,
 * and the keys of ring and words. The connecting side speaks first. Engine thread only.
 */
final class Handshake {

  private static final int MESSAGE_BYTES = io.railflux.wire.Handshake.MAX_BYTES;
  private static final long RECEIVE = 1;
  private static final long SEND = 2;

  private final Engine engine;
  private final Rail rail;
  private final Endpoint endpoint;
  private final Reconnect.Attempt attempt;
  private final LocalMemory messages;
  private Timers.Timer bound;
  private Subchannel subchannel;
  private long ownFirstPsn;
  private boolean over;

  /** @param attempt of the connecting side; null when the peer connected */
  Handshake(Engine engine, Rail rail, Endpoint endpoint, Reconnect.Attempt attempt) {
    this.engine = engine;
    this.rail = rail;
    this.endpoint = endpoint;
    this.attempt = attempt;
    // Received into the first half, sent from the second.
    ByteBuffer memory = ByteBuffer.allocateDirect(2 * MESSAGE_BYTES);
    this.messages = rail.fabric().register(memory.order(ByteOrder.LITTLE_ENDIAN));
  }

  void begin() {
    long deadline = engine.nowNanos() + engine.config().timing().handshakeNanos();
    bound = engine.timers().at(deadline, () -> failed("no HELLO in time"));
    endpoint.postReceive(RECEIVE, messages, 0, MESSAGE_BYTES);
    if (attempt != null) {
      VirtualChannel channel = attempt.channel();
      ownFirstPsn =
          channel == null ? engine.origins().firstPsn() : channel.session().ownFirstPsn();
      speakFirst();
    }
  }

  private void speakFirst() {
    try {
      subchannel = expose(attempt.subchannelId());
    } catch (FabricUnavailableException | IllegalStateException e) {
      failed(e.getMessage());
      return;
    }
    if (attempt.channel() != null) {
      // The peer may write as soon as it read the HELLO: from now on the channel fences and tells.
      engine.handshakes(rail).joinedEarly(subchannel, attempt.channel(), this);
    }
    sendHello(attempt.expectedPeer(), attempt.session(), attempt.subchannelId());
  }

  void onCompletion(Completion completion) {
    if (over) {
      return;
    }
    if (!completion.succeeded()) {
      failed("HELLO failed: " + completion);
    } else if (completion.opcode() == Opcode.RECEIVE) {
      ByteBuffer message = messages.memory().clear().limit(completion.lengthBytes());
      try {
        onMessage(message);
      } catch (MalformedFrameException e) {
        refuse(new HelloReject(Versions.SUPPORTED, HelloReject.MALFORMED, e.getMessage()));
      }
    }
  }

  private void onMessage(ByteBuffer message) throws MalformedFrameException {
    int type = io.railflux.wire.Handshake.messageType(message);
    if (type == io.railflux.wire.Handshake.HELLO_REJECT) {
      HelloReject reject = HelloReject.decode(message);
      refused(reject);
      return;
    }
    Hello hello = Hello.decode(message);
    checkSizes(hello);
    if (attempt != null) {
      answered(hello);
    } else {
      greeted(hello);
    }
  }

  private static void checkSizes(Hello hello) throws MalformedFrameException {
    int ring = hello.regions().ringBytes();
    int window = hello.limits().reorderWindow();
    boolean right = Integer.bitCount(ring) == 1
        && ring >= EngineConfig.Limits.MIN_RING_BYTES
        && hello.regions().wordsBytes() == ControlWords.BYTES
        && Integer.bitCount(window) == 1
        && window >= EngineConfig.Limits.MIN_REORDER_WINDOW;
    if (!right) {
      throw new MalformedFrameException(
          "ring of " + ring + " B or window of " + window + " is no power of two in range");
    }
  }

  /** The accepting side got a HELLO. */
  private void greeted(Hello hello) {
    HelloReject refusal = engine.acceptor().refusal(hello);
    if (refusal != null) {
      refuse(refusal);
      return;
    }
    VirtualChannel channel = engine.acceptor().session(hello);
    boolean fresh = channel == null;
    ownFirstPsn = fresh ? engine.origins().firstPsn() : channel.session().ownFirstPsn();
    try {
      subchannel = expose(hello.attempt().subchannel());
      if (fresh) {
        channel = newChannel(hello);
      }
      attach(channel, hello);
    } catch (FabricUnavailableException | IllegalStateException | RemoteAccessException e) {
      failed(e.getMessage());
      return;
    }
    Incarnation peer = channel.peer();
    sendHello(peer, hello.attempt().epoch(), hello.attempt().subchannel());
    joined(channel);
    if (fresh) {
      engine.acceptor().established(hello, channel);
    }
  }

  /** The connecting side got its answer. */
  private void answered(Hello hello) throws MalformedFrameException {
    Hello.Identity identity = hello.identity();
    Incarnation expected = new Incarnation(identity.expectedHigh(), identity.expectedLow());
    if (!expected.equals(engine.incarnation())
        || hello.attempt().subchannel() != attempt.subchannelId()) {
      throw new MalformedFrameException("HELLO answers somebody else");
    }
    VirtualChannel channel = attempt.channel();
    boolean fresh = channel == null;
    if (!fresh && channel.isClosed()) {
      failed("the session has ended");
      return;
    }
    if (!fresh && channel.recovery().isGivenUpByPeer(attempt.subchannelId())) {
      // Its RESUME overtook the answer and will not come again.
      failed("the peer gave it up already");
      return;
    }
    if (fresh) {
      channel = newChannel(hello);
    }
    try {
      attach(channel, hello);
    } catch (RemoteAccessException e) {
      failed(e.getMessage());
      return;
    }
    joined(channel);
    if (fresh) {
      engine.add(channel);
    }
    attempt.succeeded(channel, subchannel);
  }

  private VirtualChannel newChannel(Hello hello) {
    Hello.Identity identity = hello.identity();
    Incarnation peer = new Incarnation(identity.incarnationHigh(), identity.incarnationLow());
    VirtualChannel.Session session =
        new VirtualChannel.Session(peer, identity.nodeName(), ownFirstPsn, hello);
    return new VirtualChannel(engine, session, !rail.fabric().capabilities().mapped());
  }

  private Subchannel expose(int id) {
    Capabilities capabilities = rail.fabric().capabilities();
    int ringBytes = engine.config().limits().ringBytes();
    ExposedRegion ring = endpoint.expose(ringBytes, Access.REMOTE_WRITE);
    ExposedRegion words = endpoint.expose(ControlWords.BYTES, Access.REMOTE_WRITE);
    LocalMemory scratch = null;
    if (!capabilities.mapped()) {
      int bytes = PostedRingWriter.scratchBytes(capabilities);
      ByteBuffer memory = ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN);
      scratch = rail.fabric().register(memory);
    }
    Subchannel.Memory memory = new Subchannel.Memory(ring, words, scratch, messages);
    return new Subchannel(id, rail, endpoint, memory, engine.nowNanos());
  }

  private void attach(VirtualChannel channel, Hello hello) throws RemoteAccessException {
    Hello.Regions regions = hello.regions();
    RemoteRegion ring = endpoint.attach(regions.ringKey(), regions.ringBytes());
    RemoteRegion words = endpoint.attach(regions.wordsKey(), regions.wordsBytes());
    OutgoingRing outgoing = new OutgoingRing(regions.ringBytes());
    RingWriter writer;
    if (ring.mapped() != null) {
      writer = new MappedRingWriter(outgoing, ring.mapped(), words.mapped());
    } else {
      LocalMemory log = rail.fabric().register(channel.log().memory());
      subchannel.ownLog(log);
      PostedRingWriter.Targets targets =
          new PostedRingWriter.Targets(log, subchannel.memory.scratch(), ring, words);
      writer = new PostedRingWriter(outgoing, endpoint, targets, rail.fabric().capabilities());
    }
    BulkLane lane = new BulkLane(subchannel, channel.largeConfig().pieces());
    subchannel.attach(writer, lane, channel.session().hello().attempt().firstPsn());
  }

  private void joined(VirtualChannel channel) {
    over = true;
    bound.cancel();
    engine.handshakes(rail).joined(subchannel, channel);
    subchannel.postAnnouncementReceives();
    channel.add(subchannel);
  }

  private void sendHello(Incarnation expected, int session, int subchannelId) {
    EngineConfig.Limits limits = engine.config().limits();
    Incarnation own = engine.incarnation();
    Hello hello = new Hello(
        Versions.SUPPORTED,
        0,
        new Hello.Identity(
            own.high(), own.low(), expected.high(), expected.low(), engine.nodeName()),
        new Hello.Attempt(session, subchannelId, ownFirstPsn),
        new Hello.Regions(
            subchannel.memory.ring().key(),
            limits.ringBytes(),
            subchannel.memory.words().key(),
            ControlWords.BYTES),
        new Hello.Limits(
            limits.reorderWindow(),
            limits.maxMessageBytes(),
            limits.maxStreams(),
            limits.maxExchanges()),
        null);
    ByteBuffer message = messages.memory().clear().position(MESSAGE_BYTES);
    hello.encode(message);
    post(message.position() - MESSAGE_BYTES);
  }

  private void post(int lengthBytes) {
    endpoint.post(new WorkRequest().send(messages, MESSAGE_BYTES, lengthBytes).withId(SEND));
    endpoint.notifyPeer();
  }

  /** Says why and leaves; the peer closes the endpoint, or the time bound does. */
  private void refuse(HelloReject reject) {
    ByteBuffer message = messages.memory().clear().position(MESSAGE_BYTES);
    reject.encode(message);
    post(message.position() - MESSAGE_BYTES);
    over = true;
  }

  private void refused(HelloReject reject) {
    boolean restarted = reject.reason() == HelloReject.UNKNOWN_SESSION;
    end();
    if (attempt != null) {
      attempt.refused(reject.text(), restarted);
    }
  }

  /** The endpoint or the peer failed before the subchannel was live. */
  void failed(String reason) {
    if (subchannel != null && subchannel.state() != SubchannelState.HANDSHAKING) {
      return;
    }
    boolean told = over;
    end();
    if (attempt != null && !told) {
      attempt.failed(reason);
    }
  }

  void nodeLeaves(String reason) {
    if (attempt != null) {
      attempt.nodeLeaves(reason);
    }
  }

  void abandon() {
    bound.cancel();
    endpoint.close();
    messages.close();
  }

  private void end() {
    over = true;
    bound.cancel();
    boolean known = attempt != null && attempt.channel() != null && subchannel != null;
    // A channel that has ended would never release it.
    if (known && !attempt.channel().isClosed()) {
      attempt.channel().failSubchannel(subchannel, "handshake failed");
      return;
    }
    engine.handshakes(rail).forget(endpoint);
    if (subchannel != null) {
      subchannel.release();
    } else {
      endpoint.close();
      messages.close();
    }
  }
}
