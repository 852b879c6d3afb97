package io.railflux.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.buffer.PooledBuffer;
import io.railflux.engine.base.EngineConfig;
import io.railflux.engine.base.LargeMemory;
import io.railflux.engine.base.ProtocolViolation;
import io.railflux.engine.rendezvous.RendezvousSends;
import io.railflux.engine.session.SessionLifecycle;
import io.railflux.fabric.Access;
import io.railflux.fabric.sim.SimConfig;
import io.railflux.policy.Rendezvous;
import io.railflux.wire.Region;
import io.railflux.wire.RendezvousDone;
import io.railflux.wire.RendezvousReply;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Grants that wait for their subchannel, and grants that cannot be used. */
@Tag("FT1")
class RendezvousGrantsTest {

  private static final int LARGE_BYTES = 300_000;

  /** The subchannel after those of the two rails. */
  private static final int NEXT_SUBCHANNEL = 2;

  private final TwoEngines engines = TwoEngines.connected(setting());

  private static TwoEngines.Setting setting() {
    return TwoEngines.Setting.of(SimConfig.mapped().withRails(2))
        .with(EngineConfig.Large.DEFAULT
            .withMode(Rendezvous.WRITE)
            .withReceiveBudgetBytes(LARGE_BYTES));
  }

  private void grant(int number) throws ProtocolViolation {
    Region unknown = new Region(12_345, 64, 0);
    engines
        .nearChannel
        .rendezvous()
        .sends()
        .onReply(1, new RendezvousReply(number, NEXT_SUBCHANNEL, unknown, 0, 64));
  }

  @Test
  void grantsOfAMissingRegionCostOneRailButNotTheSession() {
    PooledBuffer all = engines.far.engine().landingMemory().take(() -> {}, LARGE_BYTES);
    Flow flow = engines.flow("large").sized(LARGE_BYTES).send(1).receive();
    engines.await(() -> engines.nearChannel.largeMessages() == 1);

    engines.near.run(() -> {
      engines.nearChannel.live().get(1).endpoint.fence("test");
      grant(0);
      grant(1);
    });
    engines.await(() ->
        engines.nearChannel.isClosed() || engines.nearChannel.counters().endpointsLost() == 2);

    assertEquals(SessionLifecycle.State.ESTABLISHED, engines.nearChannel.state());
    engines.far.run(all::release);
    engines.await(flow::ended);
    assertTrue(flow.completed, () -> "ended by " + flow.error);
    flow.assertReceived(1);
  }

  /** A peer with the secret may send it. It is no fault of this node. */
  @Test
  void grantTooSmallForSealedChunksCostsItsRailButNotTheSession() {
    TwoEngines sealed = TwoEngines.connected(setting().with(Secured.SEALS, Secured.SEALS));
    sealed.far.engine().landingMemory().take(() -> {}, LARGE_BYTES);
    sealed.flow("large").sized(LARGE_BYTES).send(1).receive();
    sealed.await(() -> sealed.nearChannel.largeMessages() == 1);

    sealed.far.run(() -> {
      var region = sealed.farChannel.live().get(0).endpoint.expose(64, Access.REMOTE_WRITE);
      RendezvousReply grant = new RendezvousReply(0, 0, new Region(region.key(), 64, 0), 0, 64);
      sealed.near.run(() -> sealed.nearChannel.rendezvous().sends().onReply(1, grant));
    });
    sealed.await(
        () -> sealed.nearChannel.isClosed() || sealed.nearChannel.counters().endpointsLost() == 1);

    assertEquals(SessionLifecycle.State.ESTABLISHED, sealed.nearChannel.state());
  }

  /** The peer reports that it is done while this side still writes. */
  @Test
  @Tag("RV1")
  void sourceMemoryIsReleasedAfterTheLastWrite() {
    RendezvousDone done = RendezvousDone.of(RendezvousDone.ABANDONED);
    List<Long> heldWhileWriting = new ArrayList<>();
    for (int moment = 0; moment < 40; moment++) {
      TwoEngines pair = TwoEngines.connected(TwoEngines.Setting.of(SimConfig.rdma())
          .with(EngineConfig.Large.DEFAULT.withMode(Rendezvous.WRITE)));
      RendezvousSends sends = pair.nearChannel.rendezvous().sends();
      pair.flow("large").sized(8 * LARGE_BYTES).send(1).receive();
      pair.await(() -> sends.underWay() == 1);
      pair.pass(TwoEngines.MILLIS / 200 * moment);
      LargeMemory memory = pair.near.engine().sourceMemory();
      pair.near.run(() -> {
        long written = pair.nearChannel.live().get(0).lane().writtenBytes();
        sends.onDone(1, done);
        if (written > 0 && written < 8 * LARGE_BYTES) {
          heldWhileWriting.add(memory.outstandingBytes());
        }
      });
      pair.await(() -> memory.outstandingBytes() == 0 && sends.underWay() == 0);

      assertEquals(SessionLifecycle.State.ESTABLISHED, pair.nearChannel.state());
    }
    assertFalse(heldWhileWriting.isEmpty(), "never during the write");
    assertFalse(heldWhileWriting.contains(0L), "released during the write");
  }
}
