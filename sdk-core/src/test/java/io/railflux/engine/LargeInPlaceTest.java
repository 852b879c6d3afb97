package io.railflux.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.buffer.PooledBuffer;
import io.railflux.engine.base.EngineConfig;
import io.railflux.engine.path.ExposedWindow;
import io.railflux.engine.path.Subchannel;
import io.railflux.engine.rendezvous.RendezvousProtocolTest;
import io.railflux.fabric.sim.SimConfig;
import io.railflux.policy.Rendezvous;
import io.railflux.wire.Region;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Sinks;

/** Large messages within a host remain in the memory of their sender until the receiver has processed them. */
@Tag("RV2")
class LargeInPlaceTest {

  private static final int LARGE_BYTES = 300_000;

  private final TwoEngines engines = TwoEngines.connected(SimConfig.mapped().withRails(2));
  private final ExposedWindow.Source window = sourceWindow(engines);

  private static ExposedWindow.Source sourceWindow(TwoEngines engines) {
    ExposedWindow.Source window = engines.nearChannel.live().get(0).lane().sourceWindow();
    assertTrue(window.fits(LARGE_BYTES));
    return window;
  }

  private ExposedWindow.Mapped peerWindow() {
    return engines.farChannel.live().get(0).lane().peerWindow();
  }

  private static Region region(ExposedWindow.Source.Place place) {
    return new Region(place.region().key(), place.region().lengthBytes(), place.offset());
  }

  @Test
  void opensNoWindowForCopies() {
    Flow flow = engines.flow("large").sized(LARGE_BYTES).send(40).receive();
    engines.await(flow::ended);
    flow.assertReceived(40);
    engines.awaitQuiet();

    long own =
        engines.nearChannel.live().stream().mapToLong(s -> s.memory.bytes()).sum();
    assertEquals(
        own, engines.farChannel.readings().registeredBytes(), "no landing window at the far side");
    assertFalse(window.isInUse());
    assertFalse(peerWindow().isInUse());
  }

  @Test
  void keepsTheSourceUntilTheMessageIsDelivered() {
    Flow flow = engines.flow("large").sized(LARGE_BYTES).send(1).receive();
    engines.await(window::isInUse);
    assertEquals(0, flow.received.size());
    engines.await(() -> flow.received.size() == 1);
    assertTrue(window.isInUse(), "until the peer reports that it is done");
    assertEquals(0, flow.sink.acknowledged);

    engines.await(() -> !window.isInUse());
    assertEquals(1, flow.sink.acknowledged);
  }

  @Test
  void keepsALostRailWhileItsWindowContainsAMessage() {
    ExposedWindow.Source.Place place = window.take(LARGE_BYTES);
    Subchannel lost = place.subchannel();
    engines.near.run(() -> lost.endpoint.fence("test"));
    engines.await(() -> engines.farChannel.counters().endpointsLost() == 1);
    engines.pass(20 * TwoEngines.MILLIS);

    assertEquals(Subchannel.State.FENCED, lost.state());
    assertNotNull(place.memory());
    engines.near.run(place::give);
    engines.await(() -> lost.state() == Subchannel.State.RETIRED);
  }

  @Test
  void messageThatReceivesMemoryInsideACallbackIsDeliveredAfterIt() {
    TwoEngines scarce = TwoEngines.connected(TwoEngines.Setting.of(SimConfig.mapped())
        .with(EngineConfig.Large.DEFAULT.withReceiveBudgetBytes(1 << 20)));
    PooledBuffer all = scarce.far.engine().landingMemory().take(() -> {}, 1 << 20);
    Sinks.Many<Long> numbers = Sinks.many().unicast().onBackpressureBuffer();
    Flow flow = scarce.flow("flow").sized(LARGE_BYTES).send(numbers.asFlux()).receive();
    scarce.near.run(() -> numbers.tryEmitNext(0L).orThrow());
    scarce.await(() -> scarce.farChannel.largeMessages() == 1);
    Flow other = scarce.flow("other").sized(1 << 20).send(1).receive();
    scarce.await(() -> scarce.farChannel.largeMessages() == 2);
    scarce.near.run(() -> numbers.tryEmitNext(1L).orThrow());
    scarce.await(() -> scarce.farChannel.largeMessages() == 3);

    List<String> calls = new ArrayList<>();
    flow.onReceived = number -> {
      calls.add("begin " + number);
      if (number == 0) {
        // It was the next one. The memory is now available for the one behind it.
        other.subscription.cancel();
      }
      calls.add("end " + number);
    };
    scarce.far.run(all::release);
    scarce.await(() -> flow.received.size() == 2);

    assertEquals(List.of("begin 0", "end 0", "begin 1", "end 1"), calls);
    RendezvousProtocolTest.assertNothingHeld(scarce);
  }

  @Test
  void writingSenderReceivesNoPlace() {
    EngineConfig.Large writing = EngineConfig.Large.DEFAULT.withMode(Rendezvous.WRITE);
    TwoEngines written =
        TwoEngines.connected(TwoEngines.Setting.of(SimConfig.mapped()).with(writing));
    Flow flow = written.flow("large").sized(LARGE_BYTES).send(5).receive();
    written.await(() -> flow.received.size() == 1);

    assertFalse(sourceWindow(written).isInUse());
    written.await(flow::ended);
    flow.assertReceived(5);
  }

  @Test
  void placesUseTheFirstFreeSpaceToTouchLittleMemory() {
    ExposedWindow.Source.Place first = window.take(1 << 20);
    ExposedWindow.Source.Place second = window.take(5_000);
    ExposedWindow.Source.Place third = window.take(1);
    assertEquals(1 << 20, second.offset());
    assertEquals((1 << 20) + 8192, third.offset());
    first.give();

    assertEquals(0, window.take(100_000).offset());
    assertEquals((1 << 20) + 12_288, window.take(1 << 20).offset(), "no space before that");
    second.give();
    assertEquals(102_400, window.take(1 << 19).offset());
  }

  @Test
  void fullWindowHasNoPlace() {
    int most = EngineConfig.Large.Pieces.DEFAULT.windowBytes();
    assertFalse(window.fits(most + 1));
    assertTrue(window.fits(most));
    ExposedWindow.Source.Place all = window.take(most);
    assertNotNull(all);
    assertNull(window.take(1));
    all.give();
    assertNotNull(window.take(1));
  }

  @Test
  void messageLargerThanTheWindowIsCopied() {
    int bytes = EngineConfig.Large.Pieces.DEFAULT.windowBytes() + 1;
    Flow flow = engines
        .flow("larger")
        .sized(n -> n % 2 == 0 ? bytes : LARGE_BYTES)
        .send(6)
        .receive();
    engines.await(flow::ended);

    flow.assertReceived(6);
    RendezvousProtocolTest.assertNothingHeld(engines);
  }

  @Test
  void mapsOneWindowPerPeerAtATime() {
    ExposedWindow.Source.Place mine = window.take(100);
    ExposedWindow.Source.Place others =
        sourceWindow(TwoEngines.connected(SimConfig.mapped())).take(100);
    assertNotEquals(mine.region().key(), others.region().key());
    assertNull(peerWindow().look(region(others)), "a region that was not exposed to this peer");

    ByteBuffer seen = peerWindow().look(region(mine));
    assertEquals(mine.region().lengthBytes(), seen.capacity());
    assertNull(peerWindow().look(region(others)), "another region while the first is in use");
    assertTrue(peerWindow().isInUse());
    peerWindow().leave();
    assertFalse(peerWindow().isInUse());
  }
}
