package io.railflux.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.engine.send.ControlFrame;
import io.railflux.engine.send.ControlQueue;
import io.railflux.engine.stream.OutboundStream;
import io.railflux.exceptions.DeliveryUnknownException;
import io.railflux.exceptions.RemoteStreamException;
import io.railflux.exceptions.StreamCancelledException;
import io.railflux.exceptions.StreamRejectedException;
import io.railflux.fabric.sim.SimConfig;
import io.railflux.wire.FrameType;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Sinks;

/** The transitions of the states of a stream's sending half (D7). */
class HalfClosedSendingTest {

  private final IllegalStateException givenUp = new IllegalStateException("cancelled by the test");

  private final TwoEngines engines = TwoEngines.connected(SimConfig.rdma().withRails(2));
  private final Sinks.Many<Long> source = Sinks.many().unicast().onBackpressureBuffer();
  private final Flow flow = engines.flow("numbers");

  private void open() {
    flow.send(source.asFlux());
    engines.awaitQuiet();
    assertEquals(OutboundStream.State.OPENING, flow.out.state());
  }

  private void flowing() {
    flow.send(source.asFlux()).receive();
    engines.await(() -> flow.out != null && flow.out.state() == OutboundStream.State.FLOWING);
  }

  private void complete() {
    source.tryEmitComplete().orThrow();
    assertFalse(flow.out.state().takesMessages());
  }

  private void giveUp() {
    flow.out.cancel(givenUp);
    assertFalse(flow.out.state().takesMessages());
  }

  /** Leaves no room for the frame that says how a stream ended. */
  private void fillTheRings() {
    ControlQueue control = engines.nearChannel.control();
    engines.far.freeze();
    do {
      engines.near.run(() -> {
        while (!control.isBlocked()) {
          control.send(new ControlFrame(FrameType.GOODBYE + 100, 0x80, 0, 0));
        }
      });
      engines.pass(TwoEngines.MILLIS);
    } while (!control.isBlocked());
  }

  /** No frame is acknowledged until the far side thaws. */
  private void withoutAcknowledgements(Runnable action) {
    engines.far.freeze();
    engines.near.run(action::run);
    engines.pass(TwoEngines.MILLIS);
  }

  /** The cancel has arrived when the near side acts, and is read immediately afterwards. */
  private void asTheFarSideCancels(Runnable action) {
    engines.near.freeze();
    flow.cancel();
    engines.pass(TwoEngines.MILLIS);
    engines.near.run(action::run);
    engines.near.thaw();
    engines.await(flow.sink::ended);
  }

  private void assertCancelledAfter(long acknowledged) {
    var cancelled = assertInstanceOf(StreamCancelledException.class, flow.sink.failure);
    assertEquals(acknowledged, cancelled.acknowledgedCount());
    assertEquals(OutboundStream.State.ENDED, flow.out.state());
    assertEquals(List.of(), engines.nearChannel.streams().outbound());
  }

  @Test
  void openingEndsWithTheFirstDemand() {
    flow.send(10).receive(0);
    engines.awaitQuiet();
    assertEquals(OutboundStream.State.OPENING, flow.out.state());

    flow.request(1);
    engines.await(() -> flow.received.size() == 1);

    assertEquals(OutboundStream.State.FLOWING, flow.out.state());
  }

  @Test
  void openingCompletesWithoutDemand() {
    open();
    withoutAcknowledgements(this::complete);
    assertFalse(flow.sink.ended());

    engines.far.thaw();
    engines.await(flow.sink::ended);

    assertEquals(OutboundStream.State.ENDED, flow.out.state());
    assertTrue(flow.sink.completed);
  }

  @Test
  void openingFailsWithoutDemand() {
    open();
    withoutAcknowledgements(this::giveUp);
    assertFalse(flow.sink.ended());

    engines.far.thaw();
    engines.await(flow.sink::ended);

    assertEquals(OutboundStream.State.ENDED, flow.out.state());
    assertEquals(givenUp, flow.sink.failure);
  }

  @Test
  void openingEndsWithARejection() {
    open();
    Flow second = engines.flow("numbers").send(1);

    engines.await(second.sink::ended);

    assertInstanceOf(StreamRejectedException.class, second.sink.failure);
    assertEquals(OutboundStream.State.ENDED, second.out.state());
    assertEquals(OutboundStream.State.OPENING, flow.out.state());
  }

  @Test
  void flowingEndsWithAFarCancel() {
    flow.send(5).receive(2);
    engines.await(() -> flow.received.size() == 2);
    assertEquals(OutboundStream.State.FLOWING, flow.out.state());

    flow.cancel();
    engines.await(flow.sink::ended);

    assertCancelledAfter(2);
  }

  @Test
  void completingLastsUntilEverythingIsAcknowledged() {
    flowing();
    withoutAcknowledgements(() -> {
      source.tryEmitNext(0L).orThrow();
      complete();
    });
    assertEquals(OutboundStream.State.HALF_CLOSED, flow.out.state());
    assertFalse(flow.sink.ended());

    engines.far.thaw();
    engines.await(flow::ended);

    assertEquals(OutboundStream.State.ENDED, flow.out.state());
    assertTrue(flow.sink.completed && flow.completed);
    assertEquals(1, flow.sink.acknowledged);
  }

  @Test
  void endingLastsUntilThereIsRoomForTheEnd() {
    flowing();
    fillTheRings();
    withoutAcknowledgements(this::complete);
    assertEquals(OutboundStream.State.ENDING, flow.out.state());

    engines.far.thaw();
    engines.await(flow::ended);

    assertEquals(OutboundStream.State.ENDED, flow.out.state());
    assertTrue(flow.sink.completed && flow.completed);
  }

  @Test
  void completingEndsWithAFarCancel() {
    flowing();

    asTheFarSideCancels(this::complete);

    assertCancelledAfter(0);
  }

  @Test
  void failingLastsUntilTheErrorIsAcknowledged() {
    flowing();
    withoutAcknowledgements(this::giveUp);
    assertEquals(OutboundStream.State.HALF_CLOSED, flow.out.state());
    assertNull(flow.sink.failure);

    engines.far.thaw();
    engines.await(flow::ended);

    assertEquals(givenUp, flow.sink.failure);
    var remote = assertInstanceOf(RemoteStreamException.class, flow.error);
    assertTrue(remote.getMessage().contains("cancelled by the test"), remote.getMessage());
  }

  @Test
  void failingEndsWithAFarCancel() {
    flowing();

    asTheFarSideCancels(this::giveUp);

    assertCancelledAfter(0);
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "ENDED")
  void everyStateEndsWithThePeer(OutboundStream.State state) {
    if (state == OutboundStream.State.OPENING) {
      open();
    } else {
      flowing();
    }
    if (state == OutboundStream.State.ENDING) {
      fillTheRings();
    }
    withoutAcknowledgements(() -> {
      if (state == OutboundStream.State.ENDING) {
        giveUp();
      } else if (state == OutboundStream.State.HALF_CLOSED) {
        complete();
      }
    });
    assertEquals(state, flow.out.state());

    engines.near.run(() -> engines.nearChannel.abort("on purpose"));
    engines.await(flow.sink::ended);

    assertEquals(OutboundStream.State.ENDED, flow.out.state());
    assertInstanceOf(DeliveryUnknownException.class, flow.sink.failure);
  }
}
