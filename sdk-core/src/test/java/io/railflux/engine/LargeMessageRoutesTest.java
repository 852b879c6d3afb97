package io.railflux.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.buffer.PooledBuffer;
import io.railflux.engine.TwoEngines.Setting;
import io.railflux.engine.base.EngineConfig;
import io.railflux.engine.base.Rail;
import io.railflux.engine.connect.Reconnect;
import io.railflux.engine.path.ExposedWindow;
import io.railflux.engine.path.Subchannel;
import io.railflux.engine.rendezvous.RendezvousProtocolTest;
import io.railflux.engine.stream.Exchanges;
import io.railflux.engine.stream.PeerFlux;
import io.railflux.fabric.Capabilities;
import io.railflux.fabric.Protection;
import io.railflux.fabric.sim.SimConfig;
import io.railflux.pipeline.Outgoing;
import io.railflux.pipeline.ReceivePipeline;
import io.railflux.policy.Rendezvous;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** Routes of large messages: through the ring, by rendezvous, or in place within a host. */
class LargeMessageRoutesTest {

  /** Large messages within a host remain in the memory of their sender until the receiver has processed them. */
  @Tag("RV2")
  @Nested
  class InPlace {

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

    @Test
    void opensNoWindowForCopies() {
      Flow flow = engines.flow("large").sized(LARGE_BYTES).send(40).receive();
      engines.await(flow::ended);
      flow.assertReceived(40);
      engines.awaitQuiet();

      long own = engines.nearChannel.live().stream()
          .mapToLong(s -> s.registeredBytes())
          .sum();
      assertEquals(
          own,
          engines.farChannel.readings().registeredBytes(),
          "no landing window at the far side");
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
  }

  /**
   * The size of a message selects the ring or rendezvous. The limit is lower unless there is a single path within a host.
   */
  @Tag("RV1")
  @Tag("MR9")
  @Nested
  class EagerLimit {

    private static final int FABRIC_LIMIT_BYTES = 256 << 10;
    private static final int MEDIUM_BYTES = 100_000;

    private static final Outgoing<Long> MEDIUM = new Sized(new AtomicInteger(MEDIUM_BYTES));

    /** A number with a size that may change while it waits. */
    private record Sized(AtomicInteger bytes) implements Outgoing<Long> {

      @Override
      public int maxBodyBytes(Long value) {
        return bytes.get();
      }

      @Override
      public void encode(Long value, ByteBuffer body) {
        body.putLong(value).position(bytes.get());
      }
    }

    private TwoEngines engines;
    private Rail.Target second;

    private static SimConfig copying(SimConfig like) {
      Capabilities can = like.capabilities();
      return like.withCapabilities(new Capabilities(
          can.features(),
          can.maxSendBytes(),
          can.maxInlineBytes(),
          can.sendQueueDepth(),
          can.receiveQueueDepth(),
          FABRIC_LIMIT_BYTES,
          can.maxOutstandingReads()));
    }

    private static Setting rails(int count) {
      return Setting.of(copying(SimConfig.tcp()).withRails(count));
    }

    private boolean goesByRendezvous() {
      long before = movedBytes();
      Flow flow = engines.flow("medium").sized(MEDIUM_BYTES).send(4).receive();
      engines.await(flow::ended);
      flow.assertReceived(4);
      return movedBytes() > before;
    }

    private long movedBytes() {
      return engines.nearChannel.live().stream()
          .mapToLong(subchannel -> subchannel.lane().writtenBytes())
          .sum();
    }

    @Test
    void usesTheRingOverOnePathWithinAHost() {
      engines = TwoEngines.connected(rails(1));
      assertFalse(goesByRendezvous());
    }

    @Test
    void usesRendezvousOverSeveralPaths() {
      engines = TwoEngines.connected(rails(2));
      assertTrue(goesByRendezvous());
    }

    /** A frame of 256 KiB would block signs of life of its sender for long, and prevent trials of further paths. */
    @Test
    void usesRendezvousBetweenHosts() {
      engines = TwoEngines.connected(
          Setting.of(copying(SimConfig.tcp()).withProtection(Protection.TLS_MUTUAL)));
      assertTrue(goesByRendezvous());
    }

    @Test
    void usesTheRingsOverSharedMemory() {
      var written = EngineConfig.Large.DEFAULT.withMode(Rendezvous.WRITE);
      Setting mapped = Setting.of(copying(SimConfig.mapped()).withRails(2));
      engines = TwoEngines.connected(mapped.with(written));
      assertFalse(goesByRendezvous());
      engines = TwoEngines.connected(mapped.with(written.withEagerLimitBytes(64 << 10)));
      assertTrue(goesByRendezvous());
    }

    @Test
    void configuredLimitAppliesToSeveralRails() {
      var said = EngineConfig.Large.DEFAULT.withEagerLimitBytes(128 << 10);
      engines = TwoEngines.connected(rails(2).with(said));
      assertFalse(goesByRendezvous());
    }

    private void connectOneRail(Setting setting) {
      engines = TwoEngines.apart(setting);
      List<Rail.Target> targets = engines.targets();
      second = targets.get(1);
      engines.connect(targets.subList(0, 1));
    }

    private void join() {
      engines.near.run(() -> Reconnect.of(engines.nearChannel).add(second, joined -> {}));
      engines.await(() -> TwoEngines.live(engines.nearChannel) == 2);
    }

    /** Otherwise a waiter for memory would not take its memory, and would block those behind it. */
    @Test
    void keepsRendezvousAfterTheLossOfFurtherPaths() {
      connectOneRail(rails(2));
      assertFalse(goesByRendezvous());
      join();
      assertTrue(goesByRendezvous());
      engines.far.run(() -> engines.farChannel.failSubchannel(
          engines.farChannel.live().get(1), "given up by the test"));
      engines.await(() -> TwoEngines.live(engines.nearChannel) == 1);

      assertTrue(goesByRendezvous());
    }

    @Test
    void requestThatWaitedWhileARailJoinedNeedsNoMemory() {
      connectOneRail(rails(2)
          .with(EngineConfig.Limits.DEFAULT.withMaxExchanges(1))
          .with(EngineConfig.Large.DEFAULT.withSendBudgetBytes(1 << 20)));
      engines.far.engine().respond("never", new NumberResponder(engines.far, true, Flux.never()));
      Disposable first = request(MEDIUM);
      Disposable waiting = request(MEDIUM);
      join();
      assertEquals(1, engines.nearChannel.streams().exchanges().waiting());
      var memory = engines.near.engine().sourceMemory();
      var all = memory.take(() -> {}, 1 << 20);
      engines.near.run(first::dispose);
      engines.await(() -> engines.nearChannel.streams().exchanges().waiting() == 0);

      engines.near.run(waiting::dispose);
      all.release();
      assertEquals(List.of(0L, 0L), List.of(memory.outstandingBytes(), movedBytes()));
    }

    @Test
    void cancelledRequestThatGrewDoesNotBlockOthers() {
      engines = TwoEngines.connected(rails(1)
          .with(EngineConfig.Limits.DEFAULT.withMaxExchanges(1))
          .with(EngineConfig.Large.DEFAULT.withSendBudgetBytes(1 << 20)));
      engines.far.engine().respond("never", new NumberResponder(engines.far, true, Flux.never()));
      AtomicInteger bytes = new AtomicInteger(MEDIUM_BYTES);
      Disposable first = request(MEDIUM);
      Disposable waiting = request(new Sized(bytes));
      bytes.set(FABRIC_LIMIT_BYTES + 1);
      var all = engines.near.engine().sourceMemory().take(() -> {}, 1 << 20);
      engines.near.run(first::dispose);
      engines.pass(TwoEngines.MILLIS);
      assertEquals(1, engines.nearChannel.streams().exchanges().waiting());
      engines.near.run(waiting::dispose);
      engines.await(() -> engines.nearChannel.streams().exchanges().waiting() == 0);

      all.release();
      Flow flow = engines.flow("large").sized(FABRIC_LIMIT_BYTES + 1).send(4).receive();
      engines.await(flow::ended);
      flow.assertReceived(4);
    }

    private Disposable request(Outgoing<Long> outgoing) {
      var route = new Exchanges.RouteKey("never", "number", "number");
      Disposable[] request = new Disposable[1];
      engines.near.run(() -> request[0] = Mono.from(ReceivePipeline.assemble(
              new PeerFlux.Replies<>(engines.nearChannel.streams(), route, 1L, outgoing),
              frame -> frame.body().getLong()))
          .subscribe(reply -> {}, failure -> {}));
      engines.pass(TwoEngines.MILLIS);
      return request[0];
    }
  }
}
