package io.railflux.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.engine.send.BatchBuilder;
import io.railflux.engine.send.SendWindow;
import io.railflux.engine.session.SessionLifecycle;
import io.railflux.engine.session.VirtualChannel;
import io.railflux.engine.stream.OutboundStream;
import io.railflux.engine.stream.PeerFlux;
import io.railflux.exceptions.RemoteStreamException;
import io.railflux.exceptions.StreamCancelledException;
import io.railflux.fabric.sim.SimConfig;
import io.railflux.message.Codecs;
import io.railflux.pipeline.Outgoing;
import io.railflux.pipeline.SendPipeline;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Sinks;
import reactor.util.context.Context;

// More than 400 lines: a specification with one test method for each statement.
/** Small messages of a stream share frames, without an effect other than speed. */
class BatchingTest {

  private final Sinks.Many<Long> numbers = Sinks.many().unicast().onBackpressureBuffer();
  private TwoEngines engines;

  static Stream<SimConfig> networks() {
    return Stream.of(SimConfig.rdma(), SimConfig.unordered(), SimConfig.mapped());
  }

  private Flow flowing(SimConfig network) {
    engines = TwoEngines.connected(network);
    Flow flow = engines.flow("numbers").send(numbers.asFlux()).receive();
    engines.awaitQuiet();
    return flow;
  }

  private void emit(long from, long to) {
    LongStream.range(from, to).forEach(n -> numbers.tryEmitNext(n).orThrow());
  }

  private long frames() {
    return engines.nearChannel.readings().unacknowledgedFrames();
  }

  @ParameterizedTest
  @MethodSource("networks")
  void concurrentMessagesShareAFrame(SimConfig network) {
    Flow flow = flowing(network);
    engines.far.freeze();
    engines.near.run(() -> emit(0, 100));
    engines.pass(TwoEngines.MILLIS);

    assertEquals(1, frames());
    assertEquals(0, flow.sink.acknowledged);
    engines.far.thaw();
    engines.await(() -> flow.received.size() == 100);
    flow.assertReceived(100);
    engines.await(() -> flow.sink.acknowledged == 100);
  }

  @ParameterizedTest
  @MethodSource("networks")
  void singleMessageIsSentImmediately(SimConfig network) {
    Flow flow = flowing(network);
    for (long n = 0; n < 5; n++) {
      long next = n;
      engines.near.run(() -> emit(next, next + 1));
      engines.await(() -> flow.received.size() == next + 1);
    }
    engines.await(() -> flow.sink.acknowledged == 5);
  }

  @ParameterizedTest
  @MethodSource("networks")
  void largeMessagesAreSentAlone(SimConfig network) {
    Flow flow = flowing(network).sized(BatchBuilder.MAX_MESSAGE_BYTES + 8);
    engines.far.freeze();
    engines.near.run(() -> emit(0, 7));
    engines.pass(TwoEngines.MILLIS);

    assertEquals(7, frames());
    engines.far.thaw();
    engines.await(() -> flow.received.size() == 7);
    flow.assertReceived(7);
  }

  @ParameterizedTest
  @MethodSource("networks")
  void sizesMayDiffer(SimConfig network) {
    Flow flow = flowing(network);
    engines.near.run(() -> {
      for (int i = 0; i < 2_000; i++) {
        flow.sized(8 * (1 + i * 37 % 160));
        emit(i, i + 1);
      }
    });
    engines.await(() -> flow.received.size() == 2_000);
    flow.assertReceived(2_000);
    engines.await(() -> flow.sink.acknowledged == 2_000);
  }

  @ParameterizedTest
  @MethodSource("networks")
  void alternatingStreamsKeepTheirOrder(SimConfig network) {
    Flow one = flowing(network);
    Sinks.Many<Long> others = Sinks.many().unicast().onBackpressureBuffer();
    Flow other = engines.flow("other").send(others.asFlux()).receive();
    engines.awaitQuiet();
    engines.near.run(() -> {
      for (long i = 0; i < 300; i++) {
        emit(i, i + 1);
        if (i % 3 == 0) {
          others.tryEmitNext(i / 3).orThrow();
        }
      }
      numbers.tryEmitComplete();
      others.tryEmitComplete();
    });
    engines.await(() -> one.ended() && other.ended());
    one.assertReceived(300);
    other.assertReceived(100);
    assertTrue(one.completed && other.completed);
  }

  @ParameterizedTest
  @MethodSource("networks")
  void batchContainsNoMoreThanRequested(SimConfig network) {
    engines = TwoEngines.connected(network);
    Flow flow = engines
        .flow("numbers")
        .send(Flux.range(0, 1_000).map(Integer::longValue))
        .receive(0);
    long requested = 0;
    for (int n : new int[] {1, 7, 300, 2}) {
      requested += n;
      flow.request(n);
      engines.pass(2 * TwoEngines.MILLIS);
      flow.assertReceived(requested);
    }
  }

  @ParameterizedTest
  @MethodSource("networks")
  void cancellationWithinABatchReportsEarlierMessages(SimConfig network) {
    engines = TwoEngines.connected(network);
    Flow flow = engines.flow("numbers").send(Flux.range(0, 1 << 20).map(Integer::longValue));
    flow.onReceived = number -> {
      if (number == 42) {
        flow.subscription.cancel();
      }
    };
    flow.receive();
    engines.await(flow.sink::ended);

    assertEquals(43, flow.received.size(), "nothing after the cancellation");
    assertInstanceOf(StreamCancelledException.class, flow.sink.failure);
    assertTrue(flow.sink.acknowledged >= 43);
  }

  @Test
  void abortWithinABatchEndsTheStream() {
    engines = TwoEngines.connected(SimConfig.mapped());
    Flow flow = engines.flow("numbers").send(Flux.range(0, 1 << 20).map(Integer::longValue));
    flow.onReceived = number -> {
      if (number == 42) {
        engines.farChannel.abort("on purpose");
      }
    };
    flow.receive();
    engines.await(flow.sink::ended);

    assertEquals(43, flow.received.size(), "nothing after the end of the session");
  }

  /** Messages received from the second peer are forwarded to the first one, whose turn is over at that time. */
  @Test
  void heartbeatDoesNotReplaceTheBatchOfAnotherPeer() {
    engines = TwoEngines.connected(SimConfig.mapped());
    VirtualChannel back = engines.farChannel;
    List<Long> passedOn = receivedBy(engines.nearChannel);
    Sinks.Many<Long> passingOn = Sinks.many().unicast().onBackpressureBuffer();
    engines.far.run(() -> {
      OutboundStream out =
          back.streams().open("back", "int64", null, new RecordingSink(), Context.empty());
      Outgoing<Long> outgoing = Outgoing.plain("n", Codecs.int64());
      SendPipeline.assemble(passingOn.asFlux(), outgoing, engines.far.engine(), out, 256)
          .subscribe(out);
    });
    engines.connectAgain();
    Flow flow = engines.flow("numbers").send(numbers.asFlux());
    flow.onReceived = number -> passingOn.tryEmitNext(number).orThrow();
    flow.receive();
    engines.awaitQuiet();

    // Longer than the interval between two heartbeats, so that one is due.
    engines.far.freeze();
    engines.near.run(() -> emit(0, 20));
    engines.pass(8_000 * TwoEngines.MILLIS);
    engines.far.thaw();
    engines.pass(100 * TwoEngines.MILLIS);

    assertEquals(flow.received, passedOn);
    assertEquals(20, passedOn.size());
    assertEquals(SessionLifecycle.State.ESTABLISHED, back.state());
  }

  private List<Long> receivedBy(VirtualChannel channel) {
    List<Long> received = new ArrayList<>();
    engines.near.run(() -> new PeerFlux.Messages(channel.streams(), "back", "int64")
        .subscribe(frame -> received.add(frame.body().getLong())));
    return received;
  }

  @Test
  void batchesNothingDuringTheEndOfASession() {
    engines = TwoEngines.connected(SimConfig.mapped());
    Flow flow = engines.flow("numbers").send(Flux.range(0, 1_000).map(Integer::longValue));
    flow.onReceived = number -> engines.farChannel.abort("on purpose");
    boolean[] expectsMore = {true};
    engines.farChannel.onEnd(failure -> expectsMore[0] = engines.far.engine().expectsMore());
    flow.receive();
    engines.await(flow.sink::ended);

    assertFalse(expectsMore[0]);
  }

  @Test
  void lostBatchIsReplayedOnAnotherRail() {
    engines = TwoEngines.connected(SimConfig.rdma().withRails(2));
    Flow flow = engines.flow("numbers").send(numbers.asFlux()).receive();
    engines.awaitQuiet();
    engines.near.run(() -> {
      emit(0, 50);
      engines.nearChannel.sendPath().publishGathered();
      SendWindow window = engines.nearChannel.sendPath().window();
      // The next batch takes its turn over the other rail.
      engines.link(1 - window.carrier(window.next() - 1).rail.index()).blackHole();
      emit(50, 120);
    });
    engines.await(() -> flow.sink.acknowledged == 120);

    flow.assertReceived(120);
    assertTrue(engines.nearChannel.counters().framesReplayed() > 0);
    assertEquals(0, engines.farChannel.heldBytes());
  }

  @Test
  void failedEncodingKeepsEarlierMessagesOfTheBatch() {
    Flow flow = flowing(SimConfig.mapped());
    flow.onEncoding = number -> {
      if (number == 10) {
        throw new IllegalArgumentException("on purpose");
      }
    };
    engines.near.run(() -> emit(0, 11));
    engines.await(flow::ended);

    assertEquals(List.of(0L, 1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L), flow.received);
    assertFalse(flow.completed);
    assertEquals("on purpose", flow.sink.failure.getMessage());
  }

  /** A pulled source that runs an action before one of its numbers. */
  private Flux<Long> numbers(int count, int special, Runnable before) {
    return Flux.range(0, count).map(number -> {
      if (number == special) {
        before.run();
      }
      return number.longValue();
    });
  }

  @Test
  void sourceMayEndItsStream() {
    engines = TwoEngines.connected(SimConfig.mapped());
    Flow flow = engines.flow("numbers").receive();
    RuntimeException reason = new IllegalStateException("cancelled by the test");
    flow.send(numbers(10, 7, () -> {
      flow.out.cancel(reason);
      flow.out.cancel(reason);
    }));
    engines.await(flow::ended);

    flow.assertReceived(7);
    assertInstanceOf(RemoteStreamException.class, flow.error);
    assertEquals(reason, flow.sink.failure);
    assertEquals(SessionLifecycle.State.ESTABLISHED, engines.farChannel.state());
  }

  @Test
  void sourceMayStopItsStream() {
    engines = TwoEngines.connected(SimConfig.mapped());
    Flow flow = engines.flow("numbers").receive();
    flow.send(numbers(10, 7, () -> flow.out.drain(new IllegalStateException("closing"))));
    engines.await(flow::ended);

    flow.assertReceived(7);
    assertInstanceOf(RemoteStreamException.class, flow.error);
    assertEquals(SessionLifecycle.State.ESTABLISHED, engines.farChannel.state());
  }

  @ParameterizedTest
  @MethodSource("networks")
  void sourceMaySendReentrantly(SimConfig network) {
    engines = TwoEngines.connected(network);
    Flow other = engines.flow("others").receive();
    Flow flow = engines.flow("numbers").receive();
    flow.send(numbers(1000, 500, () -> other.send(1000)));
    engines.await(() -> flow.ended() && other.ended());

    flow.assertReceived(1000);
    other.assertReceived(1000);
  }

  @Test
  void emissionIntoAnotherStreamDoesNotWaitForItsTurn() {
    engines = TwoEngines.connected(SimConfig.mapped());
    Flow copies = engines.flow("copies").send(numbers.asFlux()).receive();
    engines.awaitQuiet();
    Flow flow = engines.flow("numbers").receive();
    List<Long> copied = new ArrayList<>();
    flow.send(Flux.range(0, 4000).map(Integer::longValue).doOnNext(number -> {
      numbers.tryEmitNext(number).orThrow();
      copied.add(copies.out.messages());
    }));
    engines.await(() -> flow.ended() && copies.received.size() == 4000);

    assertEquals(1000, copied.get(1000), 10);
    assertEquals(3500, copied.get(3500), 10);
    flow.assertReceived(4000);
    copies.assertReceived(4000);
  }

  @Test
  void sourceMayEndAnotherStream() {
    engines = TwoEngines.connected(SimConfig.mapped());
    Flow other = engines.flow("others").send(numbers.asFlux()).receive();
    engines.awaitQuiet();
    RuntimeException reason = new IllegalStateException("cancelled by the test");
    List<Boolean> takeMessages = new ArrayList<>();
    Flow flow = engines.flow("numbers").receive();
    flow.send(numbers(10, 7, () -> {
      other.out.cancel(reason);
      takeMessages.add(other.out.state().takesMessages());
    }));
    engines.await(() -> flow.ended() && other.ended());

    assertEquals(List.of(false), takeMessages);
    assertEquals(reason, other.sink.failure);
    flow.assertReceived(10);
  }

  @Test
  void firstFailureOfACodecEndsItsStream() {
    engines = TwoEngines.connected(SimConfig.mapped());
    Flow flow = engines.flow("numbers").receive();
    RuntimeException reason = new IllegalStateException("cancelled by the test");
    flow.onEncoding = number -> {
      if (number == 7) {
        flow.out.cancel(reason);
        throw new IllegalArgumentException("on purpose");
      }
    };
    flow.send(10);
    engines.await(flow::ended);

    flow.assertReceived(7);
    assertEquals(reason, flow.sink.failure);
  }

  @Test
  void sourceMayEndItsSession() {
    engines = TwoEngines.connected(SimConfig.mapped());
    Flow flow = engines.flow("numbers").receive();
    flow.send(numbers(10, 7, () -> engines.nearChannel.abort("on purpose")));
    engines.await(flow::ended);

    flow.assertInOrder();
    assertNotNull(flow.sink.failure);
  }

  @ParameterizedTest
  @MethodSource("networks")
  void pulledMessagesMayDifferInSize(SimConfig network) {
    engines = TwoEngines.connected(network);
    Flow flow = engines.flow("numbers").sized(number -> 8 << (number * 7 % 11)).receive();
    flow.send(3000);
    engines.await(flow::ended);

    flow.assertReceived(3000);
  }

  @ParameterizedTest
  @MethodSource("networks")
  void pullsNoMoreThanRequested(SimConfig network) {
    engines = TwoEngines.connected(network);
    Flow flow = engines.flow("numbers").receive(10).send(100);
    engines.awaitQuiet();
    flow.assertReceived(10);

    flow.request(60);
    engines.awaitQuiet();
    flow.assertReceived(70);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void codecMayEndItsStream(boolean inTurn) {
    engines = TwoEngines.connected(SimConfig.mapped());
    Flow flow = engines.flow("numbers");
    flow.onEncoding = number -> {
      if (number == 7) {
        flow.out.cancel(new IllegalStateException("cancelled by the test"));
      }
    };
    flow.receive();
    if (inTurn) {
      flow.send(10);
    } else {
      flow.send(numbers.asFlux());
      engines.awaitQuiet();
      engines.near.run(() -> emit(0, 8));
    }
    engines.await(flow::ended);

    assertEquals(7, flow.received.size());
    assertInstanceOf(RemoteStreamException.class, flow.error);
    assertEquals(SessionLifecycle.State.ESTABLISHED, engines.farChannel.state());
  }
}
