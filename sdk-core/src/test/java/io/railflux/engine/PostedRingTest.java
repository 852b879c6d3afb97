package io.railflux.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.engine.base.ProtocolViolation;
import io.railflux.engine.ring.CongestionWindow;
import io.railflux.engine.ring.IncomingRing;
import io.railflux.engine.ring.OutgoingRing;
import io.railflux.engine.ring.PostedRingWriter;
import io.railflux.engine.ring.SendLog;
import io.railflux.fabric.Access;
import io.railflux.fabric.Completion;
import io.railflux.fabric.Endpoint;
import io.railflux.fabric.ExposedRegion;
import io.railflux.fabric.FabricListener;
import io.railflux.fabric.LocalMemory;
import io.railflux.fabric.Opcode;
import io.railflux.fabric.sim.SimConfig;
import io.railflux.fabric.sim.SimFixture;
import io.railflux.wire.ControlWords;
import io.railflux.wire.FrameFlags;
import io.railflux.wire.FrameHeader;
import io.railflux.wire.FrameType;
import io.railflux.wire.ReceivedFrame;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** A ring written by requests, with all kinds of arrival detection (D8). */
class PostedRingTest {

  private static final int SIZE = 4096;
  static final int MAX_BODY = SIZE / 4 - FrameHeader.BYTES;

  @Property(tries = 60)
  void orderedPlacementDeliversInOrderByteForByte(
      @ForAll long seed, @ForAll @Size(max = 80) List<@IntRange(max = MAX_BODY) Integer> bodies)
      throws Exception {
    new Pipe(seed, SimConfig.rdma()).run(bodies);
  }

  @Property(tries = 60)
  void atomicWritesDeliverInOrderByteForByte(
      @ForAll long seed, @ForAll @Size(max = 80) List<@IntRange(max = MAX_BODY) Integer> bodies)
      throws Exception {
    new Pipe(seed, SimConfig.tcp()).run(bodies);
  }

  @Property(tries = 60)
  void announcedArrivalDeliversInOrderByteForByte(
      @ForAll long seed, @ForAll @Size(max = 80) List<@IntRange(max = MAX_BODY) Integer> bodies)
      throws Exception {
    new Pipe(seed, SimConfig.unordered()).run(bodies);
  }

  private static LocalMemory register(io.railflux.fabric.Fabric fabric, int bytes) {
    return fabric.register(ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN));
  }

  /** One sender and one receiver. */
  private static final class Pipe {

    private final Random random;
    private final SimFixture network;
    private final Side near = new Side();
    private final Side far = new Side();
    private final SendLog log = new SendLog(SIZE);
    private final OutgoingRing ring = new OutgoingRing(SIZE);
    private final List<byte[]> sent = new ArrayList<>();
    private final List<Long> logEnds = new ArrayList<>();

    // The position that a frame reports, if any; renewed until it leaves.
    private final List<Long> positions = new ArrayList<>();
    private long position;
    private int lastReporting;

    private final PostedRingWriter writer;
    private final IncomingRing incoming;
    private final ExposedRegion words;
    private final LocalMemory nothing;
    private int read;

    Pipe(long seed, SimConfig config) throws Exception {
      random = new Random(seed);
      network = new SimFixture(seed, config);
      String location = network.freeLocation();
      network.remote().listen(location, far);
      network.local().connect(location, 1, near);
      assertTrue(network.await(() -> near.endpoint != null && far.endpoint != null));
      ExposedRegion memory = far.endpoint.expose(SIZE, Access.REMOTE_WRITE);
      words = far.endpoint.expose(ControlWords.BYTES, Access.REMOTE_WRITE);
      var capabilities = network.local().capabilities();
      PostedRingWriter.Targets targets = new PostedRingWriter.Targets(
          network.local().register(log.memory()),
          register(network.local(), PostedRingWriter.scratchBytes(capabilities)),
          near.endpoint.attach(memory.key(), SIZE),
          near.endpoint.attach(words.key(), ControlWords.BYTES));
      writer = new PostedRingWriter(
          ring, near.endpoint, targets, capabilities, new CongestionWindow(() -> 0, 50_000_000));
      incoming = new IncomingRing(memory.memory(), SIZE, !capabilities.orderedPlacement());
      nothing = register(network.remote(), 64);
      near.onCompletion = completion -> writer.completed(completion.id());
      far.onCompletion = this::announced;
      for (int i = 0; i < 32; i++) {
        far.endpoint.postReceive(i, nothing, 0, 0);
      }
    }

    private void announced(Completion completion) {
      if (completion.opcode() == Opcode.RECEIVE_IMMEDIATE) {
        incoming.announce(completion.immediate());
        far.endpoint.postReceive(completion.id(), nothing, 0, 0);
      }
    }

    void run(List<Integer> bodies) {
      for (int body : bodies) {
        int flags = random.nextBoolean() ? FrameFlags.PIGGYBACK : 0;
        int slotBytes = FrameHeader.slotBytes(FrameHeader.headerBytes(flags, 0) + body);
        if (!hasRoom(slotBytes)) {
          writer.flush();
          assertTrue(network.await(() -> poll() && hasRoom(slotBytes)), "space never became free");
        }
        send(body, flags, slotBytes);
        if (random.nextInt(3) == 0) {
          renewPositions();
        }
        if (random.nextInt(3) == 0) {
          writer.flush();
        }
      }
      writer.flush();
      assertTrue(network.await(() -> poll() && read == sent.size()), "not all arrived");
      reportPositions();
      network.close();
    }

    private boolean hasRoom(int slotBytes) {
      return writer.isReady(slotBytes, 0) && log.claim(slotBytes, 0) >= 0;
    }

    private void send(int bodyBytes, int flags, int slotBytes) {
      byte[] body = new byte[bodyBytes];
      random.nextBytes(body);
      int offset = log.claim(slotBytes, 0);
      int headerBytes = FrameHeader.headerBytes(flags, 0);
      FrameHeader.put(log.memory(), offset, sent.size(), 1, 0);
      if (flags != 0) {
        lastReporting = sent.size();
        FrameHeader.putExtensions(log.memory(), offset, flags, ++position, -position, 0, null);
      }
      log.memory().put(offset + headerBytes, body);
      sent.add(body);
      positions.add(position);
      int length = headerBytes + bodyBytes;
      long word = FrameHeader.word(length, FrameType.DATA, flags, headerBytes);
      logEnds.add(log.commit(offset, slotBytes));
      writer.publish(log.memory(), offset, word);
    }

    private void renewPositions() {
      if (writer.renewPositions(position + 1, -position - 1)) {
        positions.set(lastReporting, ++position);
      }
    }

    private boolean poll() {
      try {
        incoming.poll(this::check, 1 + random.nextInt(4));
      } catch (ProtocolViolation e) {
        throw new AssertionError(e);
      }
      ring.credit(incoming.consumed());
      return true;
    }

    private boolean check(ReceivedFrame frame) {
      byte[] body = new byte[frame.bodyBytes()];
      frame.buffer().get(frame.bodyOffset(), body);
      assertEquals(read, frame.psn());
      if (frame.has(FrameFlags.PIGGYBACK)) {
        assertEquals(positions.get(read), frame.creditPosition());
        assertEquals(-positions.get(read), frame.ackPsn());
      }
      assertEquals(ByteBuffer.wrap(sent.get(read)), ByteBuffer.wrap(body));
      log.release(logEnds.get(read));
      read++;
      return true;
    }

    private void reportPositions() {
      assertTrue(network.await(() -> writer.report(640, 12)));
      ByteBuffer control = words.memory();
      assertTrue(network.await(() -> ControlWords.load(control, ControlWords.ACK_OFFSET) == 12));
      assertEquals(640, ControlWords.load(control, ControlWords.CREDIT_OFFSET));
    }
  }

  private static final class Side implements FabricListener {

    private Endpoint endpoint;
    private java.util.function.Consumer<Completion> onCompletion = completion -> {};

    @Override
    public void onConnected(Endpoint connected, long attempt) {
      endpoint = connected;
    }

    @Override
    public void onConnectFailed(long attempt, String reason) {
      throw new AssertionError(reason);
    }

    @Override
    public void onCompletion(Endpoint about, Completion completion) {
      assertTrue(completion.succeeded(), completion::toString);
      onCompletion.accept(completion);
    }

    @Override
    public void onError(Endpoint about, String reason) {
      throw new AssertionError(reason);
    }

    @Override
    public void onDrained(Endpoint about) {}
  }
}
