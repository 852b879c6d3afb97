package io.railflux.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.engine.base.Occupancy;
import io.railflux.engine.session.VirtualChannel;
import io.railflux.fabric.sim.SimConfig;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Sinks;

/** A glance finds all events that are visible in memory, and does not claim to find others. */
class GlanceTest {

  private final Sinks.Many<Long> numbers = Sinks.many().unicast().onBackpressureBuffer();
  private final TaskQueue tasks = new TaskQueue(new Occupancy());
  private TwoEngines engines;

  private void connect(SimConfig network) {
    engines = TwoEngines.connected(network);
    engines.flow("numbers").send(numbers.asFlux()).receive();
    engines.awaitQuiet();
  }

  private Glance at(VirtualChannel channel) {
    return new Glance(tasks, List.of(channel));
  }

  private void emitOne() {
    engines.near.run(() -> numbers.tryEmitNext(1L).orThrow());
    engines.pass(TwoEngines.MILLIS);
  }

  @Test
  void findsNothingNewAfterACycle() {
    connect(SimConfig.mapped());
    emitOne();

    assertFalse(at(engines.nearChannel).hasNews());
    assertFalse(at(engines.farChannel).hasNews());
  }

  @Test
  void findsAMessage() {
    connect(SimConfig.mapped());
    engines.far.freeze();
    emitOne();

    assertTrue(at(engines.farChannel).hasNews());
  }

  @Test
  void findsCreditAndAcknowledgement() {
    connect(SimConfig.mapped());
    engines.far.freeze();
    emitOne();
    engines.near.freeze();
    engines.far.thaw();
    engines.pass(TwoEngines.MILLIS);

    assertTrue(at(engines.nearChannel).hasNews());
  }

  @Test
  void seesATask() {
    connect(SimConfig.mapped());
    tasks.add(() -> {});

    assertTrue(at(engines.farChannel).hasNews());
  }

  private static boolean isAllThatIsLeft(DrivenEngine side) {
    return side.engine().awaitsPeers();
  }

  @Test
  void isSufficientAfterEverythingIsSent() {
    connect(SimConfig.mapped());
    emitOne();

    assertTrue(isAllThatIsLeft(engines.near));
    assertTrue(isAllThatIsLeft(engines.far));
  }

  /** Even if the message makes the subscriber request the next one. */
  @Test
  void isSufficientImmediatelyAfterAMessageWasRead() {
    engines = TwoEngines.connected(SimConfig.mapped());
    Flow flow = engines.flow("numbers").send(numbers.asFlux()).receive(1);
    flow.onReceived = number -> flow.subscription.request(1);
    engines.awaitQuiet();
    engines.near.run(() -> numbers.tryEmitNext(1L).orThrow());
    engines.await(() -> flow.received.size() == 1);

    assertTrue(isAllThatIsLeft(engines.far));
  }

  @Test
  void doesNotFindAStreamThatWaitsForItsNextTurn() {
    connect(SimConfig.mapped());
    Flow flow = engines.flow("longer").sized(1_000).send(1_000).receive();

    engines.await(() -> !isAllThatIsLeft(engines.near));
    engines.await(flow::ended);
    engines.awaitQuiet();
    assertTrue(isAllThatIsLeft(engines.near));
  }

  @Test
  void doesNotFindTheNextStepOfALargeMessage() {
    connect(SimConfig.mapped());
    Flow flow = engines.flow("large").sized(6 << 20).send(1).receive();

    engines.await(() -> engines.farChannel.largeMessages() > 0 && !isAllThatIsLeft(engines.far));
    engines.await(flow::ended);
  }

  @Test
  void doesNotFindAnUnannouncedFrameOfATimer() {
    connect(SimConfig.mapped());
    Engine near = engines.near.engine();
    List<Boolean> left = new ArrayList<>();
    Runnable emit = () -> {
      left.add(near.awaitsPeers());
      numbers.tryEmitNext(1L).orThrow();
      left.add(near.awaitsPeers());
    };
    engines.near.run(() -> near.timers().at(near.nowNanos() + TwoEngines.MILLIS, emit));
    engines.pass(2 * TwoEngines.MILLIS);

    assertEquals(List.of(true, false), left);
    assertTrue(near.awaitsPeers());
  }

  @Test
  void isInsufficientIfAFabricMustBePolled() {
    connect(SimConfig.tcp());

    assertTrue(at(engines.farChannel).hasNews());
  }
}
