package io.railflux.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.railflux.engine.TwoEngines.Setting;
import io.railflux.fabric.sim.SimConfig;
import io.railflux.policy.Marker;
import io.railflux.policy.Paths;
import io.railflux.policy.StripingPolicy;
import io.railflux.wire.FrameHeader;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Sinks;

/**
 * With one rail and no fault, the support for several rails and faults adds no byte and no decision (FT7: V 9.4).
 * {@code samples/railflux netlab overhead} measures its cost in time.
 */
@Tag("FT7")
class OneRailTest {

  private static final long COUNT = 200;

  private final Sinks.Many<Long> numbers = Sinks.many().unicast().onBackpressureBuffer();
  private TwoEngines engines;
  private int asked;

  static Stream<SimConfig> networks() {
    return Stream.of(SimConfig.rdma(), SimConfig.mapped(), SimConfig.tcp());
  }

  private StripingPolicy counting() {
    return new StripingPolicy() {
      @Override
      public int next(Paths live, int lengthBytes, Marker marker) {
        asked++;
        return 0;
      }
    };
  }

  private long nearBytes() {
    return engines.nearChannel.live().get(0).sentBytes();
  }

  private long farBytes() {
    return engines.farChannel.live().get(0).sentBytes();
  }

  @ParameterizedTest
  @MethodSource("networks")
  void messageCostsItsFrameOnly(SimConfig network) {
    engines = TwoEngines.connected(Setting.of(network).with(this::counting));
    Flow flow = engines.flow("numbers").send(numbers.asFlux()).receive();
    engines.awaitQuiet();
    long near = nearBytes();
    long far = farBytes();
    for (long n = 0; n < COUNT; n++) {
      long next = n;
      engines.near.run(() -> numbers.tryEmitNext(next).orThrow());
      engines.await(() -> flow.sink.acknowledged == next + 1);
    }

    assertEquals(COUNT * FrameHeader.slotBytes(FrameHeader.BYTES + Long.BYTES), nearBytes() - near);
    assertEquals(0, farBytes() - far, "acknowledgements are no frames");
    assertEquals(0, asked, "there is no choice");
  }

  @ParameterizedTest
  @MethodSource("networks")
  void largeMessagesAreNotCut(SimConfig network) {
    engines = TwoEngines.connected(Setting.of(network).with(this::counting));
    Flow flow = engines.flow("large").sized(400_000).send(20).receive();
    engines.await(flow::ended);

    flow.assertReceived(20);
    assertEquals(0, asked, "there is no choice");
    assertEquals(0, engines.nearChannel.counters().framesReplayed());
    assertEquals(0, engines.farChannel.counters().duplicatesDropped());
  }
}
