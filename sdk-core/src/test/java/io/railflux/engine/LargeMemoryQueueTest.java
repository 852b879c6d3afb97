package io.railflux.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.railflux.buffer.PooledBuffer;
import io.railflux.fabric.sim.SimConfig;
import io.railflux.pipeline.Outgoing;
import io.railflux.pipeline.ReceivePipeline;
import io.railflux.pipeline.SendPipeline;
import io.railflux.wire.ReceivedFrame;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;

/** Whoever stops waiting for memory for a large message leaves the queue to those behind. */
@Tag("RV1")
class LargeMemoryQueueTest {

  private static final int LARGE_BYTES = 1 << 20;
  private static final long TIME_TO_LIVE_NANOS = 10 * TwoEngines.MILLIS;

  /** Numbers below 100 are large; those below 10 live for a short time only. */
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
    public long timeToLiveNanos(Long value) {
      return value < 10 ? TIME_TO_LIVE_NANOS : 0;
    }
  };

  private final TwoEngines engines = TwoEngines.connected(TwoEngines.Setting.of(SimConfig.rdma())
      .with(EngineConfig.Limits.DEFAULT.withMaxExchanges(1))
      .with(EngineConfig.Large.DEFAULT.withSendBudgetBytes(LARGE_BYTES)));

  private final LargeMemory memory = engines.near.engine().sourceMemory();
  private final List<PooledBuffer> taken = new ArrayList<>();
  private final LargeMemory.Claimant behind = this::takeBehind;

  /** All there is, so that who asks now has to wait. */
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

  private void assertThoseBehindGetOn() {
    engines.near.run(all::release);
    engines.pass(TwoEngines.MILLIS);
    assertEquals(1, taken.size());
    taken.get(0).release();
  }

  private Mono<Long> request(long value) {
    var route = new Exchanges.RouteKey("never", "number", "number");
    return Mono.from(ReceivePipeline.assemble(
        new ReplyFlux<>(engines.nearChannel, route, value, NUMBERS),
        frame -> frame.body().getLong()));
  }

  private Disposable[] requested(long... values) {
    engines.far.engine().respond("never", new Silent(engines));
    Disposable[] subscriptions = new Disposable[values.length];
    engines.near.run(() -> {
      for (int i = 0; i < values.length; i++) {
        subscriptions[i] = request(values[i]).subscribe(reply -> {}, failure -> {});
      }
    });
    return subscriptions;
  }

  /** Answers nothing. */
  private record Silent(TwoEngines engines) implements Responder {

    @Override
    public String requestCodec() {
      return "number";
    }

    @Override
    public String replyCodec() {
      return "number";
    }

    @Override
    public boolean single() {
      return true;
    }

    @Override
    public void onRequest(ReceivedFrame request, ServedExchange exchange) {
      OutboundStream stream = exchange.replies("never", new RecordingSink(), Context.empty());
      SendPipeline.assemble(
              Flux.<Long>never(), NUMBERS, engines.far.engine(), stream, OutboundStream.PREFETCH)
          .subscribe(stream);
    }
  }

  @Test
  void aRequestThatIsGivenUpLeaves() {
    Disposable[] requests = requested(50);
    waitBehind();

    engines.near.run(requests[0]::dispose);

    assertThoseBehindGetOn();
  }

  @Test
  void aRequestToALostPeerLeaves() {
    requested(50);
    waitBehind();

    engines.near.run(() -> engines.nearChannel.abort("ended by the test"));

    assertThoseBehindGetOn();
  }

  @Test
  void aRequestThatMustWaitForAnotherOnesReplyLeavesMeanwhile() {
    Disposable[] requests = requested(50, 1_000);
    engines.await(() -> engines.nearChannel.streams().exchanges().inFlight() == 1);
    waitBehind();

    assertThoseBehindGetOn();

    engines.near.run(requests[1]::dispose);
    engines.await(() -> engines.farChannel.streams().exchanges().serving() == 1
        && engines.nearChannel.streams().exchanges().waiting() == 0);
  }

  @Test
  void aStreamWhoseLargeMessageExpiredLeaves() {
    engines.near.run(() -> {
      OutboundStream out = engines
          .nearChannel
          .streams()
          .open("mixed", "numbers", null, new RecordingSink(), Context.empty());
      SendPipeline.assemble(
              Flux.concat(Flux.just(1L, 1_000L), Flux.never()),
              NUMBERS,
              engines.near.engine(),
              out,
              OutboundStream.PREFETCH)
          .subscribe(out);
    });
    List<Long> received = new ArrayList<>();
    engines.far.run(() -> ReceivePipeline.assemble(
            new InboundFlux(engines.farChannel, "mixed", "numbers"),
            frame -> frame.body().getLong())
        .subscribe(received::add));
    waitBehind();

    engines.pass(2 * TIME_TO_LIVE_NANOS);

    assertThoseBehindGetOn();
    engines.await(() -> received.size() == 1);
    assertEquals(List.of(1_000L), received);
  }
}
