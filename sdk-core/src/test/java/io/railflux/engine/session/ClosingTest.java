package io.railflux.engine.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.engine.DrivenEngine;
import io.railflux.engine.Flow;
import io.railflux.engine.TwoEngines;
import io.railflux.engine.base.EngineConfig;
import io.railflux.engine.base.StreamFailure;
import io.railflux.exceptions.DeliveryUnknownException;
import io.railflux.exceptions.PeerClosedException;
import io.railflux.fabric.sim.SimConfig;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClosingTest {

  private static final String CLEAN = "clean";

  private final TwoEngines engines = TwoEngines.connected(SimConfig.rdma());
  private final List<String> ends = new ArrayList<>();

  ClosingTest() {
    engines.near.run(() -> engines.nearChannel.onEnd(f -> ended("near", f)));
    engines.far.run(() -> engines.farChannel.onEnd(f -> ended("far", f)));
  }

  private void ended(String side, StreamFailure failure) {
    ends.add(side + " " + (failure == null ? CLEAN : failure.kind().name()));
  }

  private void close(boolean bySender) {
    DrivenEngine closer = bySender ? engines.near : engines.far;
    VirtualChannel channel = bySender ? engines.nearChannel : engines.farChannel;
    closer.run(() -> channel.close(failure -> {}));
  }

  private void awaitEnds() {
    engines.await(() -> ends.size() == 2);
    assertTrue(engines.near.engine().channels().isEmpty());
    assertTrue(engines.far.engine().channels().isEmpty());
    assertEquals(SessionLifecycle.State.CLOSED, engines.nearChannel.state());
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void bothSidesEndCleanlyWithNothingToDrain(boolean bySender) {
    close(bySender);
    awaitEnds();

    assertTrue(ends.contains("near " + CLEAN) && ends.contains("far " + CLEAN), ends::toString);
  }

  @Test
  void removedListenerReceivesNothing() {
    List<Runnable> forget = new ArrayList<>();
    engines.near.run(() -> forget.add(engines.nearChannel.onEnd(f -> ended("forgotten", f))));
    engines.near.run(() -> forget.get(0).run());
    close(true);
    awaitEnds();

    engines.near.run(() -> forget.get(0).run());
    engines.pass(TwoEngines.MILLIS);
    assertEquals(2, ends.size(), ends::toString);
  }

  @Test
  void bothSidesMayCloseAtOnce() {
    close(true);
    close(false);
    awaitEnds();

    assertTrue(ends.contains("near " + CLEAN) && ends.contains("far " + CLEAN), ends::toString);
  }

  @Test
  void acceptedMessagesAreDeliveredBeforeTheEnd() {
    Flow flow = engines.flow("numbers").sized(1_000).send(100_000).receive();
    engines.await(() -> flow.received.size() > 1_000);
    close(true);
    awaitEnds();

    flow.assertInOrder();
    assertEquals(flow.out.messages(), flow.received.size());
    assertEquals(flow.out.messages(), flow.sink.acknowledged);
    assertInstanceOf(PeerClosedException.class, flow.sink.failure);
    assertTrue(ends.contains("near " + CLEAN) && ends.contains("far " + CLEAN), ends::toString);
  }

  @Test
  void closingReceiverNotifiesItsSubscriber() {
    Flow flow = engines.flow("numbers").sized(1_000).send(100_000).receive();
    engines.await(() -> flow.received.size() > 1_000);
    close(false);
    awaitEnds();

    flow.assertInOrder();
    assertInstanceOf(PeerClosedException.class, flow.error);
    assertTrue(flow.sink.failure != null && !flow.sink.completed);
    assertTrue(flow.sink.acknowledged <= flow.out.messages());
  }

  @Test
  void closeEndsAfterTheDrainBoundWithoutAnAnswer() {
    engines.far.freeze();
    long since = engines.network.now();
    close(true);
    engines.pass(EngineConfig.Timing.DEFAULT.drainNanos() - TwoEngines.MILLIS);
    assertFalse(engines.nearChannel.isClosed());

    engines.await(engines.nearChannel::isClosed);

    assertEquals(List.of("near CLOSED"), ends);
    long took = engines.network.now() - since;
    assertTrue(took <= EngineConfig.Timing.DEFAULT.drainNanos() + TwoEngines.MILLIS, took + " ns");
  }

  @Test
  void abortLeavesDeliveryUnknown() {
    Flow flow = engines.flow("numbers").sized(1_000).send(100_000).receive();
    engines.await(() -> flow.received.size() > 1_000);
    engines.near.run(() -> engines.nearChannel.abort("enough"));
    engines.await(flow.sink::ended);

    var unknown = assertInstanceOf(DeliveryUnknownException.class, flow.sink.failure);
    assertEquals(flow.sink.acknowledged, unknown.acknowledgedCount());
    assertTrue(flow.sink.acknowledged <= flow.received.size());
  }
}
