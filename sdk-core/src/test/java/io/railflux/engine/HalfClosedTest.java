package io.railflux.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.exceptions.RemoteStreamException;
import io.railflux.exceptions.StreamCancelledException;
import io.railflux.fabric.sim.SimConfig;
import java.util.List;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Sinks;

/** How each half-closed state of a stream is entered and left (D7). */
class HalfClosedTest {

  private final TwoEngines engines = TwoEngines.connected(SimConfig.rdma().withRails(2));

  private Flow flowing() {
    Flow flow = engines.flow("numbers").send(Flux.<Long>never()).receive();
    engines.await(() -> flow.out != null && flow.out.state() == OutboundState.FLOWING);
    return flow;
  }

  @Test
  void openingEndsWithTheFirstDemand() {
    Flow flow = engines.flow("numbers").send(10).receive(0);
    engines.awaitQuiet();
    assertEquals(OutboundState.OPENING, flow.out.state());

    flow.request(1);
    engines.await(() -> flow.received.size() == 1);

    assertEquals(OutboundState.FLOWING, flow.out.state());
  }

  @Test
  void completingLastsUntilEverythingIsAcknowledged() {
    Sinks.Many<Long> source = Sinks.many().unicast().onBackpressureBuffer();
    Flow flow = engines.flow("numbers").send(source.asFlux()).receive();
    engines.await(() -> flow.out != null && flow.out.state() == OutboundState.FLOWING);
    engines.far.freeze();
    engines.near.run(() -> {
      source.tryEmitNext(0L).orThrow();
      source.tryEmitComplete().orThrow();
    });
    engines.pass(TwoEngines.MILLIS);

    assertEquals(OutboundState.COMPLETING, flow.out.state());
    assertFalse(flow.sink.ended());

    engines.far.thaw();
    engines.await(flow::ended);
    assertEquals(OutboundState.ENDED, flow.out.state());
    assertTrue(flow.sink.completed && flow.completed);
    assertEquals(1, flow.sink.acknowledged);
  }

  @Test
  void completingEndsAtOnceWhenTheFarSideCancels() {
    Flow flow = engines.flow("numbers").send(5).receive(2);
    engines.await(() -> flow.received.size() == 2);
    flow.cancel();
    engines.await(flow.sink::ended);

    var cancelled = assertInstanceOf(StreamCancelledException.class, flow.sink.failure);
    assertEquals(2, cancelled.acknowledgedCount());
    assertEquals(OutboundState.ENDED, flow.out.state());
    assertEquals(List.of(), engines.nearChannel.streams().outbound());
  }

  @Test
  void failingLastsUntilTheErrorIsAcknowledged() {
    Flow flow = flowing();
    engines.far.freeze();
    IllegalStateException reason = new IllegalStateException("gave up");
    engines.near.run(() -> flow.out.cancel(reason));
    engines.pass(TwoEngines.MILLIS);

    assertEquals(OutboundState.FAILING, flow.out.state());
    assertNull(flow.sink.failure);

    engines.far.thaw();
    engines.await(flow::ended);
    assertEquals(reason, flow.sink.failure);
    var remote = assertInstanceOf(RemoteStreamException.class, flow.error);
    assertTrue(remote.getMessage().contains("gave up"), remote.getMessage());
  }

  @Test
  void awaitingTheProducerEndsWithItsAnnouncement() {
    Flow flow = engines.flow("numbers").receive();
    engines.pass(TwoEngines.MILLIS);
    assertNull(flow.in(), "nobody announced it");

    flow.send(3);
    engines.await(flow::ended);

    flow.assertReceived(3);
  }

  @Test
  void awaitingTheProducerEndsWithACancelThatNobodyIsToldOf() {
    Flow flow = engines.flow("numbers").receive();
    engines.pass(TwoEngines.MILLIS);
    long before = engines.farChannel.sendPath().window().next();
    flow.cancel();
    engines.pass(TwoEngines.MILLIS);

    assertEquals(before, engines.farChannel.sendPath().window().next());
    Flow second = engines.flow("numbers").send(1).receive();
    engines.await(second::ended);
    second.assertReceived(1);
  }

  @Test
  void parkedHoldsTheProducerBackUntilSomebodySubscribes() {
    Flow flow = engines.flow("numbers").send(3);
    engines.awaitQuiet();
    engines.pass(TwoEngines.MILLIS);
    assertEquals(OutboundState.OPENING, flow.out.state());
    assertEquals(0, flow.out.messages());

    flow.receive();
    engines.await(flow::ended);

    flow.assertReceived(3);
  }

  @Test
  void parkedEndsWithTheProducer() {
    Flow given = engines.flow("numbers").send(Flux.never());
    engines.awaitQuiet();
    engines.near.run(() -> given.out.cancel(new IllegalStateException("gave up")));
    engines.await(given.sink::ended);

    Flow next = engines.flow("numbers").receive().send(2);
    engines.await(next::ended);

    assertNotNull(given.sink.failure);
    next.assertReceived(2);
  }

  /**
   * Between two engines the end acts in sequence, behind every message; a peer that tells it earlier
   * is played by calling the stream.
   */
  @Test
  void drainingLastsUntilTheLastMessageBeforeTheEnd() {
    Sinks.Many<Long> source = Sinks.many().unicast().onBackpressureBuffer();
    Flow flow = engines.flow("numbers").send(source.asFlux()).receive();
    engines.await(() -> flow.out != null && flow.out.state() == OutboundState.FLOWING);
    InboundStream in = flow.in();
    engines.far.run(() -> in.onEnd(2, null));
    engines.pass(TwoEngines.MILLIS);
    assertEquals(InboundState.DRAINING, in.state());

    engines.near.run(() -> source.tryEmitNext(0L).orThrow());
    engines.pass(TwoEngines.MILLIS);
    assertEquals(InboundState.DRAINING, in.state());
    assertFalse(flow.completed);

    engines.near.run(() -> source.tryEmitNext(1L).orThrow());
    engines.await(() -> flow.completed);
    assertEquals(InboundState.ENDED, in.state());
    flow.assertReceived(2);
  }

  @Test
  void drainingEndsWithACancel() {
    Flow flow = flowing();
    InboundStream in = flow.in();
    engines.far.run(() -> in.onEnd(2, null));
    flow.cancel();
    engines.await(flow.sink::ended);

    assertEquals(InboundState.ENDED, in.state());
    assertInstanceOf(StreamCancelledException.class, flow.sink.failure);
  }

  @Test
  void anEndBeforeWhatArrivedIsAViolation() {
    Sinks.Many<Long> source = Sinks.many().unicast().onBackpressureBuffer();
    Flow flow = engines.flow("numbers").send(source.asFlux()).receive();
    source.tryEmitNext(0L).orThrow();
    engines.await(() -> flow.received.size() == 1);

    assertNotNull(flow.in().onEnd(0, null));
  }

  @Test
  void aSecondEndIsAViolation() {
    Flow flow = flowing();
    assertNull(flow.in().onEnd(2, null));

    assertNotNull(flow.in().onEnd(3, null));
  }
}
