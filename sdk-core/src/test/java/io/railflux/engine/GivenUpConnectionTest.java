package io.railflux.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.engine.base.EngineConfig;
import io.railflux.engine.base.Rail;
import io.railflux.engine.base.StreamFailure;
import io.railflux.engine.session.ChannelHost;
import io.railflux.engine.session.VirtualChannel;
import io.railflux.fabric.sim.SimConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A connection that is given up at any moment leaves no session on either side. */
class GivenUpConnectionTest {

  private static final long STEP_NANOS = 250;

  private static final long SOON_NANOS = 100 * TwoEngines.MILLIS;

  /** If a goodbye is posted, the close of the endpoint may overtake it, and the far side waits for a rail. */
  private static final long PARTITION_NANOS = EngineConfig.Timing.DEFAULT.partitionNanos();

  private static final class Connecting implements ChannelHost.Listener {

    private VirtualChannel channel;
    private String failure;

    @Override
    public void onEstablished(VirtualChannel established) {
      channel = established;
    }

    @Override
    public void onFailed(String reason) {
      failure = reason;
    }
  }

  static Stream<SimConfig> networks() {
    return Stream.of(SimConfig.mapped(), SimConfig.rdma(), SimConfig.rdma().withRails(2));
  }

  @ParameterizedTest
  @MethodSource("networks")
  void leavesNoSessionAtAnyMomentOfTheHandshake(SimConfig network) {
    long establishedAfter = momentsUntilEstablished(network);
    int acceptedBefore = 0;
    for (long moment = 0; moment <= establishedAfter + 20; moment++) {
      if (giveUpAt(moment * STEP_NANOS, network)) {
        acceptedBefore++;
      }
    }
    assertTrue(acceptedBefore > 20, "most attempts were given up before the peer had a session");
  }

  private static long momentsUntilEstablished(SimConfig network) {
    TwoEngines engines = TwoEngines.apart(TwoEngines.Setting.of(network));
    Connecting connecting = new Connecting();
    engines.near.run(() -> engines.near.engine().connect(engines.targets(), connecting));
    long moments = 0;
    for (; connecting.channel == null; moments++) {
      engines.pass(STEP_NANOS);
    }
    return moments;
  }

  /** Returns whether the far side had accepted a session, which then ended. */
  private static boolean giveUpAt(long nanos, SimConfig network) {
    TwoEngines engines = TwoEngines.apart(TwoEngines.Setting.of(network));
    List<StreamFailure> farEnds = new ArrayList<>();
    AtomicInteger accepted = new AtomicInteger();
    engines.far.engine().onAccepted(channel -> {
      accepted.incrementAndGet();
      channel.onEnd(farEnds::add);
    });
    Connecting connecting = new Connecting();
    List<Rail.Target> targets = engines.targets();
    engines.near.run(() -> {
      Runnable giveUp = engines.near.engine().connect(targets, connecting);
      engines.near.host().schedule(nanos, () -> engines.near.run(giveUp::run));
    });
    engines.pass(network.capabilities().mapped() ? SOON_NANOS : PARTITION_NANOS + SOON_NANOS);

    assertEquals(List.of(), engines.near.engine().channels(), "given up after " + nanos + " ns");
    assertEquals(List.of(), engines.far.engine().channels(), "given up after " + nanos + " ns");
    assertEquals(accepted.get(), farEnds.size());
    assertNull(connecting.failure, "a cancelled attempt receives no signal");
    return accepted.get() > 0;
  }
}
