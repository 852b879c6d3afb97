package io.railflux.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.engine.base.EngineConfig;
import io.railflux.engine.send.ControlFrame;
import io.railflux.engine.send.ControlQueue;
import io.railflux.engine.send.SendPath;
import io.railflux.engine.session.SessionLifecycle;
import io.railflux.fabric.sim.SimConfig;
import io.railflux.policy.Marker;
import io.railflux.wire.FrameType;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Sharing of a peer's ring: streams by bytes, and control frames before messages. */
class FairnessTest {

  private TwoEngines engines;

  @BeforeEach
  void connect() {
    EngineConfig.Limits limits =
        EngineConfig.Limits.DEFAULT.withMaxMessageBytes(1 << 20).withRingBytes(256 << 10);
    EngineConfig.Large large = EngineConfig.Large.DEFAULT.withEagerLimitBytes(32 << 10);
    engines = TwoEngines.connected(
        TwoEngines.Setting.of(SimConfig.rdma()).with(limits).with(large));
  }

  @Test
  void largeAndSmallMessagesShareTheBytes() {
    Flow large = engines.flow("large").sized(16 << 10).send(1_000_000).receive();
    Flow small = engines.flow("small").sized(512).send(1_000_000).receive();
    engines.await(() -> large.received.size() > 10 && small.received.size() > 10);
    long largeBefore = large.out.bytes();
    long smallBefore = small.out.bytes();
    engines.await(() -> large.out.bytes() - largeBefore > 20 << 20);

    double largeShare = large.out.bytes() - largeBefore;
    double smallShare = small.out.bytes() - smallBefore;
    double ratio = smallShare / largeShare;
    assertTrue(ratio > 0.8 && ratio < 1.25, "small to large: " + ratio);
  }

  /** Rendezvous messages have their own turns. Messages through the ring never wait for their end. */
  @Test
  void rendezvousDoesNotBlockOtherMessages() {
    Flow large = engines.flow("large").sized(1 << 20).send(1_000_000).receive();
    engines.await(() -> large.received.size() > 3);
    Flow small = engines.flow("small").send(5_000).receive();
    int before = large.received.size();
    engines.await(small::ended);

    small.assertReceived(5_000);
    assertTrue(large.received.size() - before < 40, "small messages waited for large ones");
  }

  @Test
  void streamWithoutDemandDoesNotBlockOthers() {
    Flow waiting = engines.flow("waiting").send(100).receive(1);
    Flow busy = engines.flow("busy").send(10_000).receive();
    engines.await(busy::ended);

    busy.assertReceived(10_000);
    waiting.assertReceived(1);
  }

  /** The far side reads nothing, and messages have used all space that is available to them. */
  private ControlQueue stalled() {
    Flow flow = engines.flow("numbers").sized(32).send(1_000_000).receive();
    engines.await(() -> flow.received.size() > 100);
    engines.far.freeze();
    engines.pass(20 * TwoEngines.MILLIS);
    return engines.nearChannel.control();
  }

  private static ControlFrame nothing() {
    return new ControlFrame(FrameType.REJECT, 0, 0, 0);
  }

  @Test
  void controlFramesOvertakeWaitingMessages() {
    ControlQueue control = stalled();
    SendPath path = engines.nearChannel.sendPath();
    assertNull(path.claimFrame(0, 32, 0, Marker.STREAM));
    long before = path.window().next();
    control.send(nothing());
    assertEquals(before + 1, path.window().next());
    assertEquals(0, control.waiting());
  }

  @Test
  void controlFramesWithoutSpaceKeepTheirOrderAndTheLastReserve() {
    ControlQueue control = stalled();
    SendPath path = engines.nearChannel.sendPath();
    while (!control.isBlocked()) {
      control.send(new ControlFrame(FrameType.GOODBYE + 100, 0x80, 0, 0));
    }
    long psn = path.window().next();
    control.send(new ControlFrame(FrameType.GOODBYE + 101, 0x80, 0, 0));

    assertEquals(psn, path.window().next(), "later frames wait behind earlier ones");
    assertEquals(2, control.waiting());
    assertTrue(control.sendAtOnce(new ControlFrame(FrameType.GOODBYE + 102, 0x80, 0, 0)));
    assertEquals(psn + 1, path.window().next());

    engines.far.thaw();
    engines.await(() -> control.waiting() == 0);
    assertFalse(control.isBlocked());
    assertEquals(SessionLifecycle.State.ESTABLISHED, engines.nearChannel.state());
  }

  @Test
  void waitingDemandIsSentOnceAndInTotal() {
    Flow flow = engines.flow("numbers").send(10_000).receive(1);
    engines.await(() -> flow.received.size() == 1);
    long before = engines.farChannel.sendPath().window().next();
    engines.far.run(() -> {
      for (int i = 0; i < 1_000; i++) {
        flow.subscription.request(1);
      }
    });
    engines.await(() -> flow.received.size() == 1_001);

    assertEquals(before + 1, engines.farChannel.sendPath().window().next());
  }
}
