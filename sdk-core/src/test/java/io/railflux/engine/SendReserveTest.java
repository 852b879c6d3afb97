package io.railflux.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.engine.base.EngineConfig;
import io.railflux.fabric.sim.SimConfig;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Sinks;

/** Messages never use the reserve of sequence numbers, independent of control frames sent from it. */
@Tag("CH1")
class SendReserveTest {

  private static final int WINDOW = EngineConfig.Limits.MIN_REORDER_WINDOW;
  private static final int MESSAGES = WINDOW - 256;

  static Stream<SimConfig> networks() {
    return Stream.of(SimConfig.rdma(), SimConfig.unordered(), SimConfig.mapped());
  }

  @ParameterizedTest
  @MethodSource("networks")
  void controlFrameOfTheReserveDoesNotOpenItToMessages(SimConfig network) {
    TwoEngines engines = TwoEngines.connected(
        TwoEngines.Setting.of(network).with(EngineConfig.Limits.DEFAULT.withReorderWindow(WINDOW)));
    Sinks.Many<Long> first = Sinks.many().unicast().onBackpressureBuffer();
    Sinks.Many<Long> second = Sinks.many().unicast().onBackpressureBuffer();
    Flow one = engines.flow("one").send(first.asFlux()).receive();
    Flow other = engines.flow("other").send(second.asFlux()).receive();
    engines.awaitQuiet();
    engines.far.freeze();

    engines.near.run(() -> {
      emit(engines, first, MESSAGES);
      first.tryEmitComplete();
      emit(engines, second, WINDOW);
    });
    engines.pass(TwoEngines.MILLIS);

    // One of the reserve is the COMPLETE.
    assertEquals(MESSAGES + 1, engines.nearChannel.unacknowledgedFrames());
    engines.far.thaw();
    engines.near.run(second::tryEmitComplete);
    engines.await(() -> one.ended() && other.ended());
    one.assertReceived(MESSAGES);
    other.assertReceived(WINDOW);
    assertTrue(one.completed && other.completed);
  }

  /** Emits each number in a separate frame. */
  private static void emit(TwoEngines engines, Sinks.Many<Long> numbers, long count) {
    for (long i = 0; i < count; i++) {
      numbers.tryEmitNext(i);
      engines.nearChannel.sendPath().publishGathered();
    }
  }
}
