package io.railflux.engine.path;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.engine.RingMemory;
import io.railflux.engine.base.EngineConfig;
import io.railflux.engine.fakes.FakeEngineContext;
import io.railflux.engine.fakes.FakeRail;
import io.railflux.fabric.sim.SimConfig;
import io.railflux.wire.Region;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Memory windows for large messages that both sides can access. */
@Tag("RV2")
class ExposedWindowTest {

  private static final int WINDOW_BYTES = EngineConfig.Large.Pieces.DEFAULT.windowBytes();

  private final FakeRail rail = rail();
  private final ExposedWindow.Source window = rail.subchannel.lane().sourceWindow();
  private final ExposedWindow.Mapped peerWindow = rail.subchannel.lane().peerWindow();

  private static FakeRail rail() {
    FakeRail rail =
        new FakeRail(new FakeEngineContext(), SimConfig.mapped().capabilities(), 0, 64 << 10);
    rail.attach(null, 0);
    return rail;
  }

  private Region peerExposes(int bytes) {
    return new Region(rail.endpoint.peerExposes(RingMemory.of(bytes)), bytes, 0);
  }

  @Test
  void placesUseTheFirstFreeSpaceToTouchLittleMemory() {
    assertTrue(window.fits(1));
    ExposedWindow.Source.Place first = window.take(1 << 20);
    ExposedWindow.Source.Place second = window.take(5_000);
    ExposedWindow.Source.Place third = window.take(1);
    assertEquals(1 << 20, second.offset());
    assertEquals((1 << 20) + 8192, third.offset());
    first.give();

    assertEquals(0, window.take(100_000).offset());
    assertEquals((1 << 20) + 12_288, window.take(1 << 20).offset(), "no earlier space");
    second.give();
    assertEquals(102_400, window.take(1 << 19).offset());
  }

  @Test
  void fullWindowHasNoPlace() {
    assertFalse(window.fits(WINDOW_BYTES + 1));
    assertTrue(window.fits(WINDOW_BYTES));
    ExposedWindow.Source.Place all = window.take(WINDOW_BYTES);
    assertNotNull(all);
    assertTrue(window.isInUse());
    assertNull(window.take(1));
    all.give();
    assertFalse(window.isInUse());
    assertNotNull(window.take(1));
  }

  @Test
  void scarceMemoryReducesTheWindow() {
    rail.endpoint.exposableBytes = WINDOW_BYTES / 2;
    assertTrue(window.fits(WINDOW_BYTES / 2));

    assertFalse(window.fits(WINDOW_BYTES / 2 + 1));
  }

  @Test
  void opensNoWindowWithoutMemory() {
    rail.endpoint.exposableBytes = WINDOW_BYTES / 8;
    assertFalse(window.fits(1));
    rail.endpoint.exposableBytes = Long.MAX_VALUE;

    assertFalse(window.fits(1), "attempts once");
  }

  @Test
  void mapsOneWindowPerPeerAtATime() {
    Region mine = peerExposes(128);
    Region another = peerExposes(256);
    assertNull(peerWindow.look(new Region(12_345, 128, 0)), "an unknown region");

    ByteBuffer seen = peerWindow.look(mine);
    assertEquals(128, seen.capacity());
    assertSame(seen, peerWindow.look(mine));
    assertNull(peerWindow.look(another), "another region during the use of the first");
    peerWindow.leave();
    assertTrue(peerWindow.isInUse());
    peerWindow.leave();
    assertFalse(peerWindow.isInUse());
    assertEquals(256, peerWindow.look(another).capacity());
    assertEquals(1, rail.endpoint.attached);
  }
}
