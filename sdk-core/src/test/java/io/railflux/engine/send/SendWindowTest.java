package io.railflux.engine.send;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.engine.RecordingSink;
import io.railflux.engine.TwoEngines;
import io.railflux.engine.Wraps;
import io.railflux.engine.ring.SendLog;
import io.railflux.engine.session.VirtualChannel;
import io.railflux.engine.stream.OutboundStream;
import io.railflux.fabric.sim.SimConfig;
import io.railflux.wire.FrameHeader;
import io.railflux.wire.FrameType;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.util.context.Context;

public class SendWindowTest {

  static final int SIZE = 64;
  private static final long WORD = FrameHeader.word(100, FrameType.DATA, 0, FrameHeader.BYTES);
  private static final VirtualChannel CHANNEL =
      TwoEngines.connected(SimConfig.mapped()).nearChannel;
  private static final ByteBuffer MEMORY = ByteBuffer.allocateDirect(64);

  private final List<String> signals = new ArrayList<>();

  @Provide
  Arbitrary<Long> firsts() {
    return Wraps.arbitrary();
  }

  static long[] allFirsts() {
    return Wraps.all();
  }

  @ParameterizedTest
  @MethodSource("allFirsts")
  void framesInRingsMoveIntoTheLogInOrder(long first) {
    SendLog log = new SendLog(1024);
    SendWindow window = new SendWindow(SIZE, first, log);
    ByteBuffer ring = ByteBuffer.allocateDirect(1024);
    for (int i = 0; i < ring.capacity(); i++) {
      ring.put(i, (byte) (i / 7));
    }
    for (int frame = 0; frame < 6; frame++) {
      window.record(null, 1, null, ring, (frame + 1) * 128, WORD);
    }
    window.acknowledge(first + 2);

    log.memory();
    assertFalse(window.moveIntoLog(513));
    assertSame(ring, window.memory(first + 2));
    assertTrue(window.moveIntoLog(512));
    for (int frame = 2; frame < 6; frame++) {
      assertSame(log.memory(), window.memory(first + frame));
      ByteBuffer moved = log.memory().slice(window.offset(first + frame), 128);
      assertEquals(ring.slice((frame + 1) * 128, 128), moved);
    }
    assertFalse(window.isIn(ring));
    assertEquals(-1, log.claim(1024 - 3 * 128, 0));
    window.acknowledge(first + 3);
    assertEquals(512, log.claim(512, 0));
    window.acknowledge(first + 6);
    assertEquals(512, log.claim(512, 512));
  }

  /** The peer's ring may be larger than the log of this side. */
  @Test
  void unusedLogHasSpaceForFramesInRings() {
    SendLog log = new SendLog(256);
    SendWindow window = new SendWindow(SIZE, 0, log);
    ByteBuffer ring = ByteBuffer.allocateDirect(1024);
    for (int frame = 0; frame < 6; frame++) {
      window.record(null, 1, null, ring, frame * 128, WORD);
    }

    assertFalse(window.moveIntoLog(1 << 30));
    assertTrue(window.moveIntoLog(0));
    assertEquals(1024, log.allocatedBytes());
  }

  private OutboundStream owner(String name) {
    var identity = new OutboundStream.Identity(1, name, false, false, 0);
    RecordingSink sink = new RecordingSink(n -> signals.add(name + n));
    return new OutboundStream(CHANNEL.streams(), identity, sink, Context.empty());
  }

  @ParameterizedTest
  @MethodSource("allFirsts")
  void notifiesEachStreamOncePerRunOfItsFrames(long first) {
    SendWindow window = new SendWindow(SIZE, first, null);
    OutboundStream a = owner("a");
    OutboundStream b = owner("b");
    for (OutboundStream owner : new OutboundStream[] {a, a, b, null, a, a, a}) {
      window.record(owner, 1, null, MEMORY, 0, WORD);
    }

    assertEquals(6, window.acknowledge(first + 6));
    assertEquals(List.of("a2", "b1", "a2"), signals);
    assertEquals(1, window.acknowledge(first + 7));
    assertEquals(List.of("a2", "b1", "a2", "a1"), signals);
  }

  @Property(tries = 200)
  void countsWhatIsInFlightAcrossEveryWrap(
      @ForAll("firsts") long first,
      @ForAll @Size(max = 200) List<@IntRange(min = -SIZE, max = SIZE) Integer> steps) {
    SendWindow window = new SendWindow(SIZE, first, null);
    int inFlight = 0;
    for (int step : steps) {
      if (step > 0) {
        int sent = Math.min(step, SIZE - inFlight);
        for (int i = 0; i < sent; i++) {
          window.record(null, 1, null, MEMORY, inFlight + i, WORD);
        }
        inFlight += sent;
      } else {
        int freed = Math.min(-step, inFlight);
        assertEquals(freed, window.acknowledge(window.acknowledged() + freed));
        inFlight -= freed;
      }
      assertEquals(inFlight, window.inFlight());
      assertEquals(inFlight * 100L, window.unacknowledgedBytes());
    }
  }

  @ParameterizedTest
  @MethodSource("allFirsts")
  void rejectsImpossibleAcknowledgements(long first) {
    SendWindow window = new SendWindow(SIZE, first, null);
    for (int i = 0; i < 30; i++) {
      window.record(null, 1, null, MEMORY, 0, WORD);
    }
    window.acknowledge(first + 10);

    assertFalse(window.isValidAck(first + 9));
    assertTrue(window.isValidAck(first + 10));
    assertTrue(window.isValidAck(first + 30));
    assertFalse(window.isValidAck(first + 31));
  }

  @ParameterizedTest
  @MethodSource("allFirsts")
  void tracksTheCarrierOfEachFrame(long first) {
    SendWindow window = new SendWindow(SIZE, first, null);
    for (int i = 0; i < SIZE; i++) {
      window.record(null, 1, null, MEMORY, i, WORD + i);
    }
    for (int i = 0; i < SIZE; i++) {
      assertSame(MEMORY, window.memory(first + i));
      assertEquals(i, window.offset(first + i));
      assertEquals(WORD + i, window.word(first + i));
    }
  }

  @Test
  void acknowledgementReleasesTheLogUpToItsFrame() {
    SendLog log = new SendLog(256);
    SendWindow window = new SendWindow(SIZE, 0, log);
    for (int i = 0; i < 4; i++) {
      int offset = log.claim(64, 0);
      window.record(null, 1, null, log.memory(), offset, WORD);
      window.recordLogEnd(log.commit(offset, 64));
    }
    assertEquals(-1, log.claim(64, 0));

    window.acknowledge(2);

    assertEquals(-1, log.claim(192, 0));
    assertEquals(0, log.claim(128, 0));
  }
}
