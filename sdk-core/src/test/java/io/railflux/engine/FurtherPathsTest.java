package io.railflux.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.engine.TwoEngines.Setting;
import io.railflux.engine.base.EngineConfig;
import io.railflux.engine.base.Rail;
import io.railflux.engine.connect.Reconnect;
import io.railflux.engine.path.Striper;
import io.railflux.engine.path.Subchannel;
import io.railflux.engine.session.SessionLifecycle;
import io.railflux.engine.session.VirtualChannel;
import io.railflux.fabric.sim.SimConfig;
import io.railflux.fabric.sim.SimFaults;
import io.railflux.policy.StripingPolicy;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Several connections over one rail, of which one has the ring for messages. */
@Tag("MR8")
class FurtherPathsTest {

  private static final int COUNT = 8;
  private static final int LARGE_BYTES = 1 << 20;

  private TwoEngines engines;
  private long bytesOfOne;
  private long maxBytesOfOne;

  @BeforeEach
  void connect() {
    engines = TwoEngines.apart(Setting.of(SimConfig.rdma()).with(StripingPolicy::byDefault));
    engines.connect();
    bytesOfOne = ringBytes();
    maxBytesOfOne = maxBytes();
    Rail.Target target = Reconnect.of(engines.nearChannel).targets().get(0);
    engines.near.run(() -> {
      for (int i = 1; i < COUNT; i++) {
        Reconnect.of(engines.nearChannel).add(target);
      }
    });
    awaitAll();
  }

  private void awaitAll() {
    engines.await(() -> TwoEngines.live(engines.nearChannel) == COUNT
        && TwoEngines.live(engines.farChannel) == COUNT);
  }

  /** Returns the ring memory of the far side for messages of the near side. */
  private long ringBytes() {
    return engines.farChannel.live().stream()
        .mapToLong(subchannel -> subchannel.memory.ring().lengthBytes())
        .sum();
  }

  /** Returns the maximum memory of the far side for the peer, including large messages. */
  private long maxBytes() {
    long registered = engines.farChannel.live().stream()
        .mapToLong(subchannel -> subchannel.memory.bytes())
        .sum();
    return registered + engines.far.engine().landingMemory().lendableBytes();
  }

  private Subchannel forMessages(VirtualChannel channel) {
    List<Subchannel> those =
        channel.live().stream().filter(subchannel -> !subchannel.further).toList();
    assertEquals(1, those.size());
    return those.get(0);
  }

  private void sendAll(int count, int bytes) {
    Flow flow = engines.flow("numbers").sized(bytes).send(count).receive();
    engines.await(flow::ended);
    flow.assertReceived(count);
  }

  @Test
  void eightPathsUseNoMoreMemoryThanOne() {
    assertTrue(maxBytes() <= maxBytesOfOne, () -> maxBytes() + " by " + maxBytesOfOne);

    engines.far.run(() -> engines.farChannel.abort("the end"));
    engines.await(() -> engines.far.engine().landingMemory().lendableBytes()
        == EngineConfig.Large.DEFAULT.receiveBudgetBytes());
  }

  @Test
  void ringsOfFurtherPathsAreSmall() {
    assertTrue(ringBytes() <= bytesOfOne * 106 / 100, () -> ringBytes() + " by " + bytesOfOne);
  }

  @Test
  void messagesUseTheOneRing() {
    sendAll(5_000, 1_000);

    long carried = forMessages(engines.nearChannel).writer().ring().written();
    assertTrue(carried > 5_000_000, () -> carried + " B");
    for (Subchannel subchannel : engines.nearChannel.live()) {
      long written = subchannel.writer().ring().written();
      assertTrue(!subchannel.further || written < 100_000, () -> subchannel + ": " + written);
    }
  }

  @Test
  void largeMessagesAreCutOverAllPaths() {
    sendAll(50, LARGE_BYTES);

    for (Subchannel subchannel : engines.nearChannel.live()) {
      assertTrue(subchannel.lane().writtenBytes() > LARGE_BYTES, subchannel::toString);
    }
  }

  /** That ring is rarely empty under load, and a new path would wait for its first piece indefinitely. */
  @Test
  void contentOfTheRingIsNoLoadOfOtherPathsWhenAMessageIsCut() {
    engines.far.freeze();
    engines.flow("numbers").sized(1_000).send(100).receive();
    List<Subchannel> live = engines.nearChannel.live();
    engines.await(() -> forMessages(engines.nearChannel).writer().ring().occupied() > 0);

    for (int i = 0; i < COUNT; i++) {
      boolean further = live.get(i).further;
      assertEquals(
          further, Striper.LivePaths.ofPieces(live).pendingBytes(i) == 0, live.get(i)::toString);
      assertTrue(Striper.LivePaths.ofMessages(live).pendingBytes(i) > 0, live.get(i)::toString);
    }
  }

  @Test
  void lostMessagePathIsReplaced() {
    Flow flow = engines.flow("numbers").sized(1_000).send(5_000).receive();
    engines.pass(TwoEngines.MILLIS / 2);
    Subchannel lost = forMessages(engines.nearChannel);
    engines.near.run(() -> engines.nearChannel.failSubchannel(lost, "by the test"));
    engines.await(flow::ended);
    flow.assertReceived(5_000);

    awaitAll();
    assertTrue(forMessages(engines.nearChannel) != lost);
    assertEquals(forMessages(engines.nearChannel).id, forMessages(engines.farChannel).id);
  }

  @Test
  void peerIsPartitionedIfThePathCannotBeReplaced() {
    engines.network.faults(SimFaults.NONE.withConnectFailures(1));
    Subchannel lost = forMessages(engines.nearChannel);
    engines.near.run(() -> engines.nearChannel.failSubchannel(lost, "by the test"));
    engines.await(() -> engines.nearChannel.state() == SessionLifecycle.State.PAUSED
        && engines.farChannel.state() == SessionLifecycle.State.PAUSED);

    engines.network.faults(SimFaults.NONE);
    awaitAll();
    sendAll(100, 1_000);
    assertEquals(forMessages(engines.nearChannel).id, forMessages(engines.farChannel).id);
  }
}
