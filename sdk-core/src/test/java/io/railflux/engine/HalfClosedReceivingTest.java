package io.railflux.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.engine.base.ProtocolViolation;
import io.railflux.engine.send.SendWindow;
import io.railflux.engine.stream.InboundStream;
import io.railflux.engine.stream.OutboundStream;
import io.railflux.exceptions.PeerClosedException;
import io.railflux.exceptions.RemoteStreamException;
import io.railflux.exceptions.StreamCancelledException;
import io.railflux.fabric.sim.SimConfig;
import java.util.List;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Sinks;

/** The transitions of the states of a stream's receiving half, and of a parked stream (D7). */
class HalfClosedReceivingTest {

  private final TwoEngines engines = TwoEngines.connected(SimConfig.rdma().withRails(2));
  private final Sinks.Many<Long> source = Sinks.many().unicast().onBackpressureBuffer();
  private final Flow flow = engines.flow("numbers");
  private InboundStream in;

  private void flowing() {
    flow.send(source.asFlux()).receive();
    engines.await(() -> flow.out != null && flow.out.state() == OutboundStream.State.FLOWING);
    in = flow.in();
    assertEquals(InboundStream.State.FLOWING, in.state());
  }

  /** The rail of the near side's next frame is silent. The frame after it takes the other rail. */
  private void loseTheNextFrame() {
    engines.near.run(() -> {
      source.tryEmitNext(0L).orThrow();
      engines.nearChannel.sendPath().publishGathered();
      SendWindow window = engines.nearChannel.sendPath().window();
      int used = window.carrier(window.next() - 1).rail.index();
      engines.link(1 - used).blackHole();
    });
    engines.await(() -> flow.received.size() == 1);
    // Control frames take the path with the fewest bytes in flight.
    engines.awaitQuiet();
  }

  /** Message 1 is missing, and the end behind it has arrived. */
  private void draining(Runnable end) {
    flowing();
    loseTheNextFrame();
    engines.near.run(() -> {
      source.tryEmitNext(1L).orThrow();
      end.run();
    });
    engines.pass(TwoEngines.MILLIS);
    assertEquals(InboundStream.State.DRAINING, in.state());
    assertFalse(flow.completed || flow.error != null, "it has not ended");
  }

  private void complete() {
    source.tryEmitComplete().orThrow();
  }

  @Test
  void awaitingTheProducerEndsWithItsAnnouncement() {
    flow.receive();
    engines.pass(TwoEngines.MILLIS);
    assertNull(flow.in(), "no announcement arrived");

    flow.send(3);
    engines.await(flow::ended);

    flow.assertReceived(3);
  }

  @Test
  void awaitingTheProducerEndsWithASilentCancel() {
    flow.receive();
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
  void awaitingTheProducerEndsWithThePeer() {
    flow.receive();
    engines.pass(TwoEngines.MILLIS);

    engines.far.run(() -> engines.farChannel.abort("on purpose"));

    engines.await(() -> flow.error != null);
    assertInstanceOf(PeerClosedException.class, flow.error);
  }

  @Test
  void parkedBlocksTheProducerUntilASubscription() {
    flow.send(3);
    engines.awaitQuiet();
    engines.pass(TwoEngines.MILLIS);
    assertEquals(OutboundStream.State.OPENING, flow.out.state());
    assertEquals(0, flow.out.messages());

    flow.receive();
    engines.await(flow::ended);

    flow.assertReceived(3);
  }

  private void failWhileParked() {
    flow.send(Flux.never());
    engines.awaitQuiet();
    engines.near.run(() -> flow.out.cancel(new IllegalStateException("cancelled by the test")));
    engines.await(flow.sink::ended);
    assertNotNull(flow.sink.failure);
  }

  @Test
  void parkedReportsTheFailureOfTheProducer() {
    failWhileParked();

    flow.receive();
    engines.await(flow::ended);

    assertInstanceOf(RemoteStreamException.class, flow.error);
    Flow next = engines.flow("numbers").receive().send(2);
    engines.await(next::ended);
    next.assertReceived(2);
  }

  @Test
  void parkedReportsTheCompletionOfTheProducer() {
    flow.send(0);
    engines.await(flow.sink::ended);

    flow.receive();
    engines.await(flow::ended);

    flow.assertReceived(0);
  }

  @Test
  void endedParkedStreamIsReplacedByTheNextOfItsName() {
    failWhileParked();
    Flow next = engines.flow("numbers").send(2);
    engines.awaitQuiet();

    next.receive();
    engines.await(next::ended);

    next.assertReceived(2);
  }

  @Test
  void flowingEndsWithTheEndBehindTheLastMessage() {
    flowing();
    engines.near.run(this::complete);

    engines.await(() -> flow.completed);

    assertEquals(InboundStream.State.ENDED, in.state());
  }

  @Test
  void flowingEndsWithACancel() {
    flowing();
    flow.cancel();
    engines.await(flow.sink::ended);

    assertEquals(InboundStream.State.ENDED, in.state());
    assertInstanceOf(StreamCancelledException.class, flow.sink.failure);
  }

  @Test
  void flowingEndsWithThePeer() {
    flowing();
    engines.far.run(() -> engines.farChannel.abort("on purpose"));

    engines.await(() -> flow.error != null);

    assertEquals(InboundStream.State.ENDED, in.state());
  }

  @Test
  void drainingLastsUntilTheLastMessageBeforeTheEnd() {
    draining(this::complete);

    engines.await(() -> flow.completed);

    assertEquals(InboundStream.State.ENDED, in.state());
    flow.assertReceived(2);
    engines.await(() -> flow.sink.completed);
  }

  @Test
  void drainingReportsAnErrorAfterTheLastMessage() {
    draining(() -> source.tryEmitError(new IllegalStateException("at the end")).orThrow());

    engines.await(() -> flow.error != null);

    assertEquals(InboundStream.State.ENDED, in.state());
    assertInstanceOf(RemoteStreamException.class, flow.error);
    flow.assertReceived(2);
  }

  @Test
  void drainingEndsWithACancel() {
    draining(this::complete);
    flow.cancel();
    engines.await(flow.sink::ended);

    assertEquals(InboundStream.State.ENDED, in.state());
    assertInstanceOf(StreamCancelledException.class, flow.sink.failure);
    assertEquals(List.of(0L), flow.received);
    engines.awaitQuiet();
  }

  @Test
  void drainingEndsWithThePeer() {
    draining(this::complete);
    engines.far.run(() -> engines.farChannel.abort("on purpose"));

    engines.await(() -> flow.error != null);

    assertEquals(InboundStream.State.ENDED, in.state());
    assertInstanceOf(PeerClosedException.class, flow.error);
    assertEquals(0, engines.farChannel.heldBytes());
  }

  /** The missing frame may be its announcement, so the stream may exist. */
  @Test
  void endOfAnUnknownStreamWaitsForTheMissingFrame() {
    flowing();
    loseTheNextFrame();
    Flow other = engines.flow("empty").receive().send(0);
    engines.await(() -> other.out != null && other.out.state() == OutboundStream.State.HALF_CLOSED);
    engines.pass(TwoEngines.MILLIS);
    assertNull(other.in(), "its announcement is lost");

    engines.await(other::ended);

    assertTrue(other.completed && other.sink.completed);
    assertEquals(InboundStream.State.FLOWING, in.state());
  }

  @Test
  void endBeforeReceivedMessagesIsAViolation() {
    flowing();
    engines.near.run(() -> source.tryEmitNext(0L).orThrow());
    engines.await(() -> flow.received.size() == 1);

    assertThrows(ProtocolViolation.class, () -> in.onEnd(0, null));
  }

  @Test
  void secondEndIsAViolation() throws ProtocolViolation {
    flowing();
    in.onEnd(2, null);

    assertThrows(ProtocolViolation.class, () -> in.onEnd(3, null));
  }

  @Test
  void messageAfterTheEndIsAViolation() throws ProtocolViolation {
    flowing();
    in.onEnd(2, null);

    in.onData(DataFrames.of(1));
    assertThrows(ProtocolViolation.class, () -> in.onData(DataFrames.of(2)));
  }
}
