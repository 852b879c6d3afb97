package io.railflux.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.railflux.fabric.sim.SimConfig;
import org.junit.jupiter.api.Test;

/** Events of endpoints, and what goes wrong here while they are handled. */
class HandshakesTest {

  private StreamFailure ended;

  /** Else the fabric would take the memory from under it, which a ring's reader does not survive. */
  @Test
  void aFaultOfThisNodeEndsTheSessionThatUsesTheEndpoint() {
    TwoEngines engines = TwoEngines.connected(SimConfig.mapped());
    engines.nearChannel.onEnd(failure -> ended = failure);
    Subchannel subchannel = engines.nearChannel.live().get(0);

    engines.near.run(() ->
        engines.near.engine().handshakes(subchannel.rail).onCompletion(subchannel.endpoint, null));

    engines.await(() -> ended != null);
    assertEquals(StreamFailure.Kind.LOST, ended.kind());
  }
}
