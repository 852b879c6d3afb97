package io.railflux.engine;

import static org.junit.jupiter.api.Assertions.assertSame;

import io.railflux.engine.rendezvous.RendezvousProtocolTest;
import io.railflux.fabric.sim.SimConfig;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Sinks;

/** A codec that fails while it writes a large message affects its own stream only. */
@Tag("RV1")
class FailingCodecTest {

  private static final int LARGE_BYTES = 300_000;

  private final TwoEngines engines = TwoEngines.connected(SimConfig.rdma());
  private final RuntimeException failure = new IllegalStateException("on purpose");

  @Test
  void messagesSentMeanwhileContinue() {
    Sinks.Many<Long> numbers = Sinks.many().unicast().onBackpressureBuffer();
    Flow sent = engines.flow("sent").sized(LARGE_BYTES).send(numbers.asFlux()).receive();
    engines.await(() -> sent.out != null && sent.out.openDemand() > 0);
    Flow failing = engines.flow("failing").sized(LARGE_BYTES);
    failing.onEncoding = number -> {
      numbers.tryEmitNext(0L).orThrow();
      throw failure;
    };

    failing.send(1).receive();

    engines.await(failing.sink::ended);
    assertSame(failure, failing.sink.failure);
    engines.await(() -> sent.received.size() == 1);
    RendezvousProtocolTest.assertNothingHeld(engines);
  }
}
