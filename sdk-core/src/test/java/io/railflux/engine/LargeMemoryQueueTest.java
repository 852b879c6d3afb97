package io.railflux.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.Depth;
import io.railflux.HeapSnapshot;
import io.railflux.buffer.PooledBuffer;
import io.railflux.engine.base.EngineConfig;
import io.railflux.engine.base.LargeMemory;
import io.railflux.engine.path.Subchannel;
import io.railflux.engine.rendezvous.RendezvousSends;
import io.railflux.engine.session.VirtualChannel;
import io.railflux.engine.stream.Exchanges;
import io.railflux.engine.stream.OutboundStream;
import io.railflux.engine.stream.PeerFlux;
import io.railflux.fabric.sim.SimConfig;
import io.railflux.pipeline.Outgoing;
import io.railflux.pipeline.ReceivePipeline;
import io.railflux.pipeline.SendPipeline;
import io.railflux.policy.Rendezvous;
import io.railflux.wire.ResumeInfo;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;

/** Memory of large messages: the queue of claimants, and the release. */
class LargeMemoryQueueTest {

  /** A message that stops waiting for memory leaves the queue to those behind it. */
  @Tag("RV1")
  @Nested
  class Queue {

    private static final int LARGE_BYTES = 1 << 20;
    private static final long TIME_TO_LIVE_NANOS = 10 * TwoEngines.MILLIS;

    /** The loaned memory of waiting messages. */
    private static final ByteBuffer LENT = ByteBuffer.allocateDirect(LARGE_BYTES);

    /** Numbers below 100 are large. Numbers below 10 have a short time to live. 99 needs no memory. */
    private static final Outgoing<Long> NUMBERS = new Outgoing<>() {
      @Override
      public int maxBodyBytes(Long value) {
        return value < 100 ? LARGE_BYTES : Long.BYTES;
      }

      @Override
      public void encode(Long value, ByteBuffer body) {
        body.putLong(value);
      }

      @Override
      public ByteBuffer inPlace(Long value) {
        return value == 99 ? LENT.duplicate() : null;
      }

      @Override
      public long timeToLiveNanos(Long value) {
        return value < 10 ? TIME_TO_LIVE_NANOS : 0;
      }
    };

    private final TwoEngines engines = TwoEngines.connected(TwoEngines.Setting.of(SimConfig.rdma())
        .with(EngineConfig.Limits.DEFAULT.withMaxExchanges(1))
        .with(EngineConfig.Large.DEFAULT
            .withSendBudgetBytes(LARGE_BYTES)
            .withReceiveBudgetBytes(LARGE_BYTES)));

    private final LargeMemory memory = engines.near.engine().sourceMemory();
    private final List<PooledBuffer> taken = new ArrayList<>();
    private final LargeMemory.Claimant behind = this::takeBehind;

    /** All available memory, so that a claimant has to wait. */
    private final PooledBuffer all = memory.take(() -> {}, LARGE_BYTES);

    private void takeBehind() {
      PooledBuffer more = memory.take(behind, LARGE_BYTES);
      if (more != null) {
        taken.add(more);
      }
    }

    private void waitBehind() {
      engines.pass(TwoEngines.MILLIS);
      engines.near.run(this::takeBehind);
      engines.pass(TwoEngines.MILLIS);
      assertEquals(List.of(), taken);
    }

    private void assertLaterMessagesContinue() {
      engines.near.run(all::release);
      engines.pass(TwoEngines.MILLIS);
      assertEquals(1, taken.size());
      taken.get(0).release();
    }

    private Mono<Long> request(long value) {
      var route = new Exchanges.RouteKey("never", "number", "number");
      return Mono.from(ReceivePipeline.assemble(
          new PeerFlux.Replies<>(engines.nearChannel.streams(), route, value, NUMBERS),
          frame -> frame.body().getLong()));
    }

    private Disposable[] requested(long... values) {
      engines.far.engine().respond("never", new NumberResponder(engines.far, true, Flux.never()));
      Disposable[] subscriptions = new Disposable[values.length];
      engines.near.run(() -> {
        for (int i = 0; i < values.length; i++) {
          subscriptions[i] = request(values[i]).subscribe(reply -> {}, failure -> {});
        }
      });
      return subscriptions;
    }

    @Test
    void cancelledRequestLeavesTheQueue() {
      Disposable[] requests = requested(50);
      waitBehind();

      engines.near.run(requests[0]::dispose);

      assertLaterMessagesContinue();
    }

    @Test
    void requestToALostPeerLeavesTheQueue() {
      requested(50);
      waitBehind();

      engines.near.run(() -> engines.nearChannel.abort("ended by the test"));

      assertLaterMessagesContinue();
    }

    @Test
    void requestThatWaitsForAnotherReplyLeavesTheQueue() {
      Disposable[] requests = requested(50, 1_000);
      engines.await(() -> engines.nearChannel.streams().exchanges().inFlight() == 1);
      waitBehind();

      assertLaterMessagesContinue();

      engines.near.run(requests[1]::dispose);
      engines.await(() -> engines.farChannel.streams().exchanges().serving() == 1
          && engines.nearChannel.streams().exchanges().waiting() == 0);
    }

    @Test
    void streamWithAnExpiredMessageLeavesTheQueue() {
      List<Long> received = new ArrayList<>();
      stream("mixed", Flux.just(1L, 1_000L), received);
      waitBehind();

      engines.pass(2 * TIME_TO_LIVE_NANOS);

      assertLaterMessagesContinue();
      engines.await(() -> received.size() == 1);
      assertEquals(List.of(1_000L), received);
    }

    private void stream(String name, Flux<Long> numbers, List<Long> received) {
      engines.near.run(() -> {
        OutboundStream out = engines
            .nearChannel
            .streams()
            .open(name, "numbers", null, new RecordingSink(), Context.empty());
        SendPipeline.assemble(
                numbers.concatWith(Flux.never()),
                NUMBERS,
                engines.near.engine(),
                out,
                OutboundStream.PREFETCH)
            .subscribe(out);
      });
      engines.far.run(() -> ReceivePipeline.assemble(
              new PeerFlux.Messages(engines.farChannel.streams(), name, "numbers"),
              frame -> frame.body().getLong())
          .subscribe(received::add));
    }

    @Test
    void messageThatWaitsForTheTransferLimitLeavesTheQueue() {
      requested(50);
      LargeMemory landing = engines.far.engine().landingMemory();
      PooledBuffer none = landing.take(() -> {}, LARGE_BYTES);
      for (int i = 0; i < RendezvousSends.MAX_TRANSFERS / 2; i++) {
        stream("lent " + i, Flux.just(99L, 99L), new ArrayList<>());
      }
      engines.await(() ->
          engines.nearChannel.rendezvous().sends().underWay() == RendezvousSends.MAX_TRANSFERS);
      waitBehind();

      assertLaterMessagesContinue();
      none.release();
    }

    @Test
    void peerThatReadsNothingBlocksItselfOnly() {
      Flow flow = engines.flow("large").sized(LARGE_BYTES).send(1).receive();
      engines.pass(TwoEngines.MILLIS);
      engines.far.freeze();
      Flow small = engines.flow("small").sized(1_000).send(1_000_000);
      engines.near.run(() -> small.out.demand(0, true));
      // The stream requests more while it waits for memory. Its turn follows that of the stream
      // without space.
      engines.near.run(() -> flow.out.demand(1, false));
      waitBehind();

      engines.near.run(all::release);
      engines.pass(TwoEngines.MILLIS);
      assertEquals(
          LARGE_BYTES, memory.outstandingBytes(), "the large message does not wait for space");

      engines.far.thaw();
      engines.await(() -> taken.size() == 1);
      engines.await(flow::ended);
      taken.get(0).release();
    }

    @Test
    void peerThatReplaysOnItsTurnYieldsIt() {
      Flow flow = engines.flow("large").sized(LARGE_BYTES).send(1).receive();
      waitBehind();
      engines.far.freeze();
      Flow lost = engines.flow("lost").send(10);
      engines.near.run(() -> lost.out.demand(0, true));
      engines.pass(TwoEngines.MILLIS);
      VirtualChannel channel = engines.nearChannel;
      Subchannel rail = channel.live().get(0);
      long missing = channel.sendPath().window().acknowledged();
      engines.near.run(() -> channel.failSubchannel(rail, "given up by the test"));
      engines.pass(TwoEngines.MILLIS);

      // In one cycle: its turn arrives, and before it acts, frames need a replay without a rail.
      engines.near.run(() -> {
        all.release();
        engines.near.run(() -> channel
            .recovery()
            .onResume(new ResumeInfo(channel.session().epoch(), rail.id, missing, new long[0])));
      });
      engines.pass(TwoEngines.MILLIS);

      assertEquals(1, taken.size());
      engines.near.run(taken.get(0)::release);
      engines.far.thaw();
      engines.await(flow::ended);
    }
  }

  /**
   * The memory of a large message is released with the message. The simulated network keeps registrations as devices do,
   * except for memory that a pool releases. The budgets are smaller than a message, so no memory of its size is kept.
   */
  @Tag("RV1")
  @Nested
  class Release {

    private static final int MESSAGE_BYTES = 6 << 20;
    private static final int LARGE_BYTES = 5 << 20;
    private static final int BUDGET_BYTES = 1 << 20;

    /** The default is first. */
    static Stream<Rendezvous> modes() {
      return Stream.of(Rendezvous.values()).limit(Depth.of(1, Rendezvous.values().length));
    }

    private static TwoEngines connected(Rendezvous mode) {
      return TwoEngines.connected(TwoEngines.Setting.of(SimConfig.rdma())
          .with(EngineConfig.Large.DEFAULT
              .withMode(mode)
              .withSendBudgetBytes(BUDGET_BYTES)
              .withReceiveBudgetBytes(BUDGET_BYTES)));
    }

    private static void assertNothingHeld(TwoEngines engines) {
      engines.pass(10 * TwoEngines.MILLIS);
      for (DrivenEngine node : List.of(engines.near, engines.far)) {
        assertEquals(0, node.engine().largeMessageBytes());
        assertTrue(node.engine().keptMessageBytes() <= 2 * BUDGET_BYTES);
      }
      assertEquals(List.of(), HeapSnapshot.take().largeMemory(LARGE_BYTES, Set.of()));
    }

    @ParameterizedTest
    @MethodSource("modes")
    void releasesMemoryOfACompletedStream(Rendezvous mode) {
      TwoEngines engines = connected(mode);
      Flow flow = engines.flow("large").sized(MESSAGE_BYTES).send(3).receive();
      engines.await(flow::ended);
      flow.assertReceived(3);

      assertNothingHeld(engines);
    }

    @ParameterizedTest
    @MethodSource("modes")
    void releasesMemoryOfACancelledStream(Rendezvous mode) {
      TwoEngines engines = connected(mode);
      Flow flow = engines.flow("large").sized(MESSAGE_BYTES).send(60).receive();
      engines.await(() -> flow.received.size() >= 2);
      flow.cancel();
      engines.await(flow.sink::ended);

      assertNothingHeld(engines);
    }

    /** The test retains both channels. */
    @ParameterizedTest
    @MethodSource("modes")
    void releasesMemoryOfAnEndedSession(Rendezvous mode) {
      TwoEngines engines = connected(mode);
      Flow flow = engines.flow("large").sized(MESSAGE_BYTES).send(60).receive();
      engines.await(() -> flow.received.size() >= 2);
      engines.near.run(() -> engines.nearChannel.abort("test"));
      engines.await(() -> engines.farChannel.isClosed());

      assertNothingHeld(engines);
    }

    @ParameterizedTest
    @MethodSource("modes")
    void releasesMemoryOfAClosedNode(Rendezvous mode) {
      TwoEngines engines = connected(mode);
      Flow flow = engines.flow("large").sized(MESSAGE_BYTES).send(60).receive();
      engines.await(() -> flow.received.size() >= 2);
      engines.near.run(() -> engines.near.engine().close("test"));
      engines.await(() -> engines.farChannel.isClosed());

      assertNothingHeld(engines);
    }
  }
}
