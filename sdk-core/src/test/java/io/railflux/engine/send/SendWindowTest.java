package io.railflux.engine.send;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.engine.Wraps;
import io.railflux.engine.fakes.FakeEngineContext;
import io.railflux.engine.fakes.FakeFrameOwner;
import io.railflux.engine.fakes.FakeRail;
import io.railflux.engine.path.Subchannel;
import io.railflux.engine.ring.SendLog;
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

/** The unacknowledged frames of a peer. */
public class SendWindowTest {

  static final int SIZE = 256;
  private static final long WORD = FrameHeader.word(100, FrameType.DATA, 0, FrameHeader.BYTES);
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

  private FrameOwner owner(String name) {
    return new FakeFrameOwner(1, items -> signals.add(name + items));
  }

  @ParameterizedTest
  @MethodSource("allFirsts")
  void notifiesEachStreamOncePerRunOfItsFrames(long first) {
    SendWindow window = new SendWindow(SIZE, first, null);
    FrameOwner a = owner("a");
    FrameOwner b = owner("b");
    for (FrameOwner owner : new FrameOwner[] {a, a, b, null, a, a, a}) {
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

  @ParameterizedTest
  @MethodSource("allFirsts")
  void keepsFramesInFlightAndTheirLogWhenItGrows(long first) {
    SendLog log = new SendLog(64 * SIZE);
    SendWindow window = new SendWindow(SIZE, first, log);
    FrameOwner owner = owner("owner");
    for (int i = 0; i < SIZE; i++) {
      int offset = log.claim(64, 0);
      window.record(owner, 1, null, log.memory(), offset, WORD + i);
      window.recordLogEnd(log.commit(offset, 64));
    }
    for (int i = 0; i < SIZE; i++) {
      assertEquals(64 * i, window.offset(first + i));
      assertEquals(WORD + i, window.word(first + i));
    }
    assertEquals(-1, log.claim(64, 0));
    window.acknowledge(first + SIZE / 2);
    assertEquals(List.of("owner" + SIZE / 2), signals);
    assertEquals(0, log.claim(64 * SIZE / 2, 0));
  }

  /** The window reports last, because the owner may send in reaction. */
  @Test
  void ownerMaySendDuringTheReportOfAnAcknowledgement() {
    SendWindow window = new SendWindow(SIZE, 0, null);
    FrameOwner[] sender = new FrameOwner[1];
    sender[0] = new FakeFrameOwner(1, items -> {
      signals.add("sender" + items);
      if (signals.size() == 1) {
        window.record(sender[0], 1, null, MEMORY, 0, WORD);
      }
    });
    window.record(sender[0], 1, null, MEMORY, 0, WORD);
    window.acknowledge(1);
    assertEquals(1, window.inFlight());
    window.acknowledge(2);

    assertEquals(List.of("sender1", "sender1"), signals);
  }

  @Test
  void frameOfSeveralMessagesCountsEachMessage() {
    SendWindow window = new SendWindow(SIZE, 0, null);
    FrameOwner a = owner("a");
    window.record(a, 7, null, MEMORY, 0, WORD);
    window.record(a, 1, null, MEMORY, 0, WORD);
    window.acknowledge(1);
    window.acknowledge(2);

    assertEquals(List.of("a7", "a1"), signals);
  }

  /** For a replayed frame, and for a frame that the peer received ahead of missing frames. */
  @Test
  void keepsTheCarrierUntilTheAcknowledgement() {
    Subchannel first = rail(0);
    Subchannel second = rail(1);
    SendWindow window = new SendWindow(SIZE, 0, null);
    for (int i = 0; i < 3; i++) {
      window.record(null, 1, first, MEMORY, 0, WORD);
    }
    window.carrier(1, second);
    window.carrier(2, null);

    assertSame(first, window.carrier(0));
    assertSame(second, window.carrier(1));
    assertNull(window.carrier(2));
    window.acknowledge(3);
    for (int i = 0; i < SIZE; i++) {
      window.record(null, 1, first, MEMORY, 0, WORD);
      assertSame(first, window.carrier(3 + i));
    }
  }

  private static Subchannel rail(int id) {
    return new FakeRail(new FakeEngineContext(), SimConfig.mapped().capabilities(), id, 1 << 10)
        .subchannel;
  }

  @Test
  void endedWindowReleasesMemoryAndAcceptsAcknowledgements() {
    SendWindow window = new SendWindow(SIZE, 0, null);
    window.record(owner("a"), 1, null, MEMORY, 0, WORD);
    window.end();

    assertFalse(window.isIn(MEMORY));
    assertEquals(1, window.acknowledge(1));
    assertEquals(List.of(), signals);
  }
}
