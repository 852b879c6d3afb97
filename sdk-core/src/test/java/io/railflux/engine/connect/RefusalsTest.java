package io.railflux.engine.connect;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.railflux.engine.base.EngineConfig;
import io.railflux.engine.fakes.FakeEndpoint;
import io.railflux.fabric.sim.SimConfig;
import org.junit.jupiter.api.Test;

/** Rejections of any number of addresses are counted, while the log stays short. */
class RefusalsTest {

  private long now;
  private final Refusals refusals = new Refusals(EngineConfig.defaults("node"), () -> now);

  @Test
  void hostIsLoggedOncePerKindAndAlwaysCounted() {
    for (int i = 0; i < 1_000; i++) {
      refusals.handshake("192.0.2.1", "192.0.2.1:" + i, "it said nothing in time");
      refusals.violated("192.0.2.1", "peer 'x' violated the protocol");
    }

    assertEquals(2, refusals.named());
    assertEquals(1_000, refusals.handshakes());
    assertEquals(1_000, refusals.sessions());
  }

  @Test
  void thousandAddressesDoNotFloodTheLog() {
    for (int i = 0; i < 1_000; i++) {
      String host = "2001:db8::" + Integer.toHexString(i);
      refusals.handshake(host, host, "it said nothing in time");
      refusals.handshake(host, host, "it said nothing in time");
    }

    assertEquals(Refusals.MAX_NAMED, refusals.named());
    assertEquals(2_000, refusals.handshakes());

    refusals.violated("192.0.2.1", "peer 'x' violated the protocol");
    assertEquals(Refusals.MAX_NAMED + 1, refusals.named(), "strangers do not hide what peers do");
  }

  /** The peer of a restarted node resumes first. That must not hide a wrong secret of the same host. */
  @Test
  void anUnknownSessionHidesNoRefusalOfItsHost() {
    FakeEndpoint endpoint = new FakeEndpoint(SimConfig.mapped().capabilities());
    refusals.unknownSession(endpoint, "the node restarted");
    assertEquals(1, refusals.handshakes());
    refusals.handshake(endpoint, "another secret");
    assertEquals(2, refusals.named());
  }

  @Test
  void logRepeatsARejectionAfterAnHour() {
    refusals.violated("192.0.2.1", "peer 'x' violated the protocol");
    refusals.violated("192.0.2.2", "peer 'y' violated the protocol");
    now += Refusals.NAMED_AGAIN_NANOS;

    refusals.violated("192.0.2.1", "peer 'x' violated the protocol");
    assertEquals(1, refusals.named(), "a new hour began");
  }
}
