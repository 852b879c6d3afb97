package io.railflux;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.fabric.Access;
import io.railflux.fabric.Completion;
import io.railflux.fabric.Endpoint;
import io.railflux.fabric.ExposedRegion;
import io.railflux.fabric.Fabric;
import io.railflux.fabric.FabricListener;
import io.railflux.fabric.LocalMemory;
import io.railflux.fabric.Opcode;
import io.railflux.fabric.RealContext;
import io.railflux.fabric.RemoteAccessException;
import io.railflux.fabric.WorkRequest;
import io.railflux.wire.ControlWords;
import io.railflux.wire.FrameHeader;
import io.railflux.wire.FrameType;
import io.railflux.wire.MalformedFrameException;
import io.railflux.wire.handshake.Authentication;
import io.railflux.wire.handshake.Bits256;
import io.railflux.wire.handshake.Grant;
import io.railflux.wire.handshake.HandshakeHeader;
import io.railflux.wire.handshake.Hello;
import io.railflux.wire.handshake.HelloReject;
import io.railflux.wire.handshake.Proof;
import io.railflux.wire.handshake.Versions;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** A peer without an engine. It sends and writes arbitrary bytes for tests. */
final class RawPeer implements FabricListener, AutoCloseable {

  static final String NAME = "raw";

  private static final int MESSAGE_BYTES = 4096;
  private static final int RING_BYTES = 64 << 10;
  private static final int TAG_BYTES = 16;
  private static final int NONE = 0;
  private static final int PATIENCE_SECONDS = 15;

  private final RawKeys keys;
  private final RealContext context;
  private final Fabric fabric;
  private final LocalMemory messages;
  private Endpoint endpoint;
  private ExposedRegion ownRing;
  private ExposedRegion ownWords;

  // The answer of the node.
  private Hello answer;
  private Grant granted;
  private HelloReject refusal;
  private String failure;

  // The ring that the node granted, and the positions of this side.
  private RawRegion ring;
  private RawRegion words;
  private int written;
  private int read;
  private int sequenced;
  private long psn;
  private boolean wroteWhatNoKeySeals;

  RawPeer(Ground ground, Path directory, String address) throws IOException {
    keys = ground.keys();
    context = new RealContext();
    fabric = ground.fabric(directory).open(context);
    ByteBuffer memory = ByteBuffer.allocateDirect(2 * MESSAGE_BYTES);
    messages = fabric.register(memory.order(ByteOrder.LITTLE_ENDIAN));
    fabric.connect(address.substring(address.indexOf(':') + 1), 1, this);
    waitFor("a connection", () -> endpoint != null);
    receive();
    ownRing = endpoint.expose(RING_BYTES, Access.REMOTE_WRITE);
    ownWords = endpoint.expose(ControlWords.BYTES, Access.REMOTE_WRITE);
  }

  private void receive() {
    endpoint.postReceive(1, messages, 0, MESSAGE_BYTES);
  }

  /** Completes a valid handshake, after which the peer may write. */
  static RawPeer accepted(Ground ground, Path directory, String address) throws Exception {
    RawPeer peer = new RawPeer(ground, directory, address);
    peer.introduce(peer.hello(), peer.grant());
    peer.waitFor("JOINED", () -> peer.granted != null);
    peer.attach();
    return peer;
  }

  Hello hello() {
    return new Hello(
        Versions.SUPPORTED,
        0,
        new Hello.Identity(77, System.identityHashCode(this), 0, 0, NAME),
        new Hello.Attempt(1, 0, 0),
        new Hello.Limits(1024, 4096, 16, 16),
        keys == null ? Authentication.NOTHING : keys.offer(),
        null);
  }

  /** Returns a HELLO for another subchannel of this session. */
  Hello helloOfAnother(int subchannel) {
    Hello own = hello();
    Hello.Identity node = answer.identity();
    return new Hello(
        own.versions(),
        0,
        new Hello.Identity(
            own.identity().incarnationHigh(),
            own.identity().incarnationLow(),
            node.incarnationHigh(),
            node.incarnationLow(),
            NAME),
        new Hello.Attempt(1, subchannel, 0),
        own.limits(),
        own.authentication(),
        null);
  }

  Grant grant() {
    return new Grant(ownRing.key(), RING_BYTES, ownWords.key(), ControlWords.BYTES, Bits256.ZERO);
  }

  /** Sends both messages of this side, the second one after the answer to the first, unless it was rejected. */
  void introduce(Hello hello, Grant grant) {
    say(hello);
    waitFor("an answer", () -> answer != null || refusal != null);
    if (answer != null) {
      show(grant);
    }
  }

  void show(Grant grant) {
    byte[] payload = new byte[Grant.BYTES];
    grant.encode(ByteBuffer.wrap(payload));
    Proof proof =
        keys == null ? new Proof(HandshakeHeader.PROOF, Bits256.ZERO, payload) : keys.show(payload);
    ByteBuffer message = messages.memory().clear().position(MESSAGE_BYTES);
    proof.encode(message);
    send(message.position() - MESSAGE_BYTES);
  }

  void say(Hello hello) {
    ByteBuffer message = messages.memory().clear().position(MESSAGE_BYTES);
    hello.encode(message);
    if (keys != null) {
      keys.prove(message, MESSAGE_BYTES, message.position());
    }
    send(message.position() - MESSAGE_BYTES);
  }

  void say(byte[] bytes) {
    messages.memory().put(MESSAGE_BYTES, bytes);
    send(bytes.length);
  }

  private void send(int lengthBytes) {
    endpoint.post(new WorkRequest().send(messages, MESSAGE_BYTES, lengthBytes).withId(2));
    endpoint.notifyPeer();
  }

  private void attach() throws RemoteAccessException {
    ring = attach(granted.ringBytes());
    words = new RawRegion(fabric, endpoint, granted.wordsKey(), granted.wordsBytes());
  }

  /** Attaches the node's ring with the given size. */
  RawRegion attach(int bytes) throws RemoteAccessException {
    return new RawRegion(fabric, endpoint, granted.ringKey(), bytes);
  }

  int ringBytes() {
    return granted.ringBytes();
  }

  private boolean seals() {
    return keys != null && keys.seals();
  }

  /** Writes a frame after the last one with the next sequence number. Seals it if sealing was negotiated. */
  void frame(int type, int flags, long streamId, long streamSeq, Consumer<ByteBuffer> body) {
    ByteBuffer encoded = ByteBuffer.allocate(MESSAGE_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    body.accept(encoded);
    int headerBytes = FrameHeader.headerBytes(flags, 0);
    int length = headerBytes + encoded.flip().remaining();
    padUnlessFits(length + TAG_BYTES);
    int at = offset();
    FrameHeader.put(ring.memory, at, psn++, streamId, streamSeq);
    FrameHeader.putExtensions(ring.memory, at, flags, 0, 0, 1, null);
    ring.memory.put(at + headerBytes, encoded, 0, encoded.remaining());
    publish(FrameHeader.word(length, type, flags, headerBytes));
  }

  void frame(int type, long streamId, long streamSeq) {
    frame(type, 0, streamId, streamSeq, body -> {});
  }

  private void padUnlessFits(int length) {
    int left = granted.ringBytes() - offset();
    if (left < FrameHeader.slotBytes(length)) {
      put(FrameHeader.word(left, FrameType.PADDING, 0, FrameHeader.BYTES), Long.BYTES);
      written += left;
    }
  }

  /** Writes the publish word of the next frame, whose content may be missing. Seals the frame if possible. */
  void publish(long word) {
    int length = FrameHeader.lengthBytes(word);
    boolean whole = length >= FrameHeader.BYTES && length <= MESSAGE_BYTES;
    wroteWhatNoKeySeals |= seals() && !whole;
    long publishWord = whole && seals() ? keys.seal(ring.memory, offset(), word) : word;
    put(publishWord, whole ? FrameHeader.lengthBytes(publishWord) : Long.BYTES);
    written += FrameHeader.slotBytes(whole ? FrameHeader.lengthBytes(publishWord) : 1);
  }

  boolean wroteWhatNoKeySeals() {
    return wroteWhatNoKeySeals;
  }

  private void put(long word, int bytes) {
    FrameHeader.publish(ring.memory, offset(), word);
    ring.send(offset(), bytes);
  }

  /** Writes eight bytes at any position, regardless of the consequences. */
  void scribble(int at, long value) {
    FrameHeader.publish(ring.memory, at, value);
    ring.send(at, Long.BYTES);
  }

  /** Writes credit and acknowledgement, valid or not. Seals them if sealing was negotiated. */
  void report(long credit, long ack) {
    if (seals()) {
      keys.report(words.memory, credit, ack);
    } else {
      ControlWords.store(words.memory, ControlWords.CREDIT_OFFSET, credit);
      ControlWords.store(words.memory, ControlWords.ACK_OFFSET, ack);
    }
    words.send(0, ControlWords.BYTES);
  }

  /** Returns the position of the next frame. */
  int offset() {
    return written & granted.ringBytes() - 1;
  }

  void skipPsns(long count) {
    psn += count;
  }

  /** Returns the number of bytes that the node has consumed. */
  long credit() {
    int offset = seals() ? ControlWords.SEALED_OFFSET : ControlWords.CREDIT_OFFSET;
    return ControlWords.load(ownWords.memory(), offset);
  }

  boolean hasRoom() {
    return written - credit() < granted.ringBytes() - 4096;
  }

  /** Reads the node's frames up to the first one of a type, and acknowledges them. */
  void awaitFrame(int type) {
    waitFor(FrameType.name(type), () -> readUpTo(type));
    report(read, sequenced);
  }

  /** Sends signs of life, because a silent peer is given up over a network. */
  void keepUp() {
    fabric.poll(16);
    readUpTo(NONE);
    report(read, sequenced);
  }

  private boolean readUpTo(int type) {
    for (long word = next(); word != 0; word = next()) {
      read += FrameHeader.slotBytes(FrameHeader.lengthBytes(word));
      sequenced += FrameType.sequenced(FrameHeader.type(word)) ? 1 : 0;
      if (FrameHeader.type(word) == type) {
        return true;
      }
    }
    return false;
  }

  private long next() {
    return FrameHeader.peek(ownRing.memory(), read & RING_BYTES - 1);
  }

  boolean isJoined() {
    return granted != null;
  }

  String refusal() {
    return refusal == null ? null : refusal.text();
  }

  String failure() {
    return failure;
  }

  /** Processes pending callbacks. */
  void turn() {
    fabric.poll(16);
  }

  void waitFor(String what, BooleanSupplier condition) {
    long deadline = System.nanoTime() + PATIENCE_SECONDS * 1_000_000_000L;
    while (!condition.getAsBoolean()) {
      assertTrue(System.nanoTime() < deadline, () -> "no " + what + "; failure: " + failure);
      if (fabric.poll(16) == 0) {
        context.sleep(1);
      }
    }
  }

  @Override
  public void onConnected(Endpoint connected, long attempt) {
    endpoint = connected;
  }

  @Override
  public void onConnectFailed(long attempt, String reason) {
    failure = reason;
  }

  @Override
  public void onCompletion(Endpoint source, Completion completion) {
    if (completion.succeeded() && completion.opcode() == Opcode.RECEIVE) {
      ByteBuffer message = messages.memory().clear().limit(completion.lengthBytes());
      try {
        switch (HandshakeHeader.messageType(message)) {
          case HandshakeHeader.HELLO -> answered(message);
          case HandshakeHeader.JOINED -> granted = grant(message);
          default -> refusal = HelloReject.decode(message);
        }
        receive();
      } catch (MalformedFrameException e) {
        throw new AssertionError(e);
      }
    }
  }

  private void answered(ByteBuffer message) throws MalformedFrameException {
    byte[] bytes = new byte[message.remaining()];
    message.get(0, bytes);
    answer = Hello.decode(message);
    if (keys != null) {
      keys.answered(answer, bytes);
    }
  }

  private Grant grant(ByteBuffer message) throws MalformedFrameException {
    Proof joined = Proof.decode(message, HandshakeHeader.JOINED);
    return keys == null ? Grant.decode(ByteBuffer.wrap(joined.payload())) : keys.open(joined);
  }

  @Override
  public void onError(Endpoint source, String reason) {
    failure = reason;
  }

  @Override
  public void onDrained(Endpoint source) {
    // The state of this side is irrelevant now.
  }

  @Override
  public void close() {
    fabric.close();
    context.close();
  }
}
