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
import io.railflux.fabric.RemoteRegion;
import io.railflux.fabric.WorkRequest;
import io.railflux.fabric.shm.ShmFabricProvider;
import io.railflux.wire.Authentication;
import io.railflux.wire.Bits256;
import io.railflux.wire.ControlWords;
import io.railflux.wire.FrameHeader;
import io.railflux.wire.FrameType;
import io.railflux.wire.Grant;
import io.railflux.wire.Handshake;
import io.railflux.wire.Hello;
import io.railflux.wire.HelloReject;
import io.railflux.wire.MalformedFrameException;
import io.railflux.wire.Proof;
import io.railflux.wire.Versions;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** A peer without an engine: it says and writes whatever a test wants. */
final class RawPeer implements FabricListener, AutoCloseable {

  static final String NAME = "raw";

  private static final int MESSAGE_BYTES = 4096;
  private static final int RING_BYTES = 64 << 10;
  private static final int PATIENCE_SECONDS = 15;

  private final RealContext context;
  private final Fabric fabric;
  private final LocalMemory messages;
  private Endpoint endpoint;
  private ExposedRegion ownRing;
  private ExposedRegion ownWords;

  // What came of it.
  private Hello answer;
  private Grant granted;
  private HelloReject refusal;
  private String failure;

  // The ring the node granted, and how far this side wrote and read.
  ByteBuffer ring;
  ByteBuffer words;
  private int written;
  private int read;
  private long psn;

  RawPeer(Path directory, String address) throws IOException {
    context = new RealContext(true);
    fabric = new ShmFabricProvider(directory).open(context);
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

  /** Says HELLO as it should be and may write then. */
  static RawPeer accepted(Path directory, String address) throws Exception {
    RawPeer peer = new RawPeer(directory, address);
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
        Authentication.NOTHING,
        null);
  }

  Grant grant() {
    return new Grant(ownRing.key(), RING_BYTES, ownWords.key(), ControlWords.BYTES, Bits256.ZERO);
  }

  /** Both messages of this side, the second once the first is answered, unless it was refused. */
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
    ByteBuffer message = messages.memory().clear().position(MESSAGE_BYTES);
    new Proof(Handshake.PROOF, Bits256.ZERO, payload).encode(message);
    send(message.position() - MESSAGE_BYTES);
  }

  void say(Hello hello) {
    ByteBuffer message = messages.memory().clear().position(MESSAGE_BYTES);
    hello.encode(message);
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
    RemoteRegion remote = endpoint.attach(granted.ringKey(), granted.ringBytes());
    ring = remote.mapped();
    words = endpoint.attach(granted.wordsKey(), granted.wordsBytes()).mapped();
  }

  /** Writes a frame behind the last one, with the next sequence number. */
  void frame(int type, int flags, long streamId, long streamSeq, Consumer<ByteBuffer> body) {
    ByteBuffer encoded = ByteBuffer.allocate(MESSAGE_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    body.accept(encoded);
    int headerBytes = FrameHeader.headerBytes(flags, 0);
    int length = headerBytes + encoded.flip().remaining();
    int at = written & ring.capacity() - 1;
    FrameHeader.put(ring, at, psn++, streamId, streamSeq);
    FrameHeader.putExtensions(ring, at, flags, 0, 0, 1, null);
    ring.put(at + headerBytes, encoded, 0, encoded.remaining());
    publish(FrameHeader.word(length, type, flags, headerBytes));
    written += FrameHeader.slotBytes(length);
  }

  void frame(int type, long streamId, long streamSeq) {
    frame(type, 0, streamId, streamSeq, body -> {});
  }

  /** The publish word of the next frame, which nobody needs to have written. */
  void publish(long word) {
    FrameHeader.publish(ring, written & ring.capacity() - 1, word);
    endpoint.notifyPeer();
  }

  /** Where the next frame begins. */
  int offset() {
    return written & ring.capacity() - 1;
  }

  void skipPsns(long count) {
    psn += count;
  }

  /** Bytes the node has consumed. */
  long credit() {
    return ControlWords.load(ownWords.memory(), ControlWords.CREDIT_OFFSET);
  }

  boolean hasRoom() {
    return written - credit() < ring.capacity() - 4096;
  }

  /** Reads the node's frames up to the first of that type. */
  void awaitFrame(int type) {
    waitFor(FrameType.name(type), () -> {
      for (long word = next(); word != 0; word = next()) {
        read += FrameHeader.slotBytes(FrameHeader.lengthBytes(word));
        if (FrameHeader.type(word) == type) {
          return true;
        }
      }
      return false;
    });
  }

  private long next() {
    return FrameHeader.peek(ownRing.memory(), read & RING_BYTES - 1);
  }

  String refusal() {
    return refusal == null ? null : refusal.text();
  }

  String failure() {
    return failure;
  }

  void notifyNode() {
    endpoint.notifyPeer();
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
        switch (Handshake.messageType(message)) {
          case Handshake.HELLO -> answer = Hello.decode(message);
          case Handshake.JOINED -> granted = grant(message);
          default -> refusal = HelloReject.decode(message);
        }
        receive();
      } catch (MalformedFrameException e) {
        throw new AssertionError(e);
      }
    }
  }

  private static Grant grant(ByteBuffer message) throws MalformedFrameException {
    return Grant.decode(ByteBuffer.wrap(Proof.decode(message, Handshake.JOINED).payload()));
  }

  @Override
  public void onError(Endpoint source, String reason) {
    failure = reason;
  }

  @Override
  public void onDrained(Endpoint source) {
    // Nothing of this side matters any more.
  }

  @Override
  public void close() {
    fabric.close();
    context.close();
  }
}
