package io.railflux.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.engine.TwoEngines.Setting;
import io.railflux.engine.base.EngineConfig;
import io.railflux.engine.base.EngineConfig.Limits;
import io.railflux.engine.base.Security;
import io.railflux.engine.path.Subchannel;
import io.railflux.engine.session.VirtualChannel;
import io.railflux.fabric.sim.SimConfig;
import io.railflux.policy.ChannelKind;
import io.railflux.policy.ChannelPolicy;
import io.railflux.policy.ChannelTraffic;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Rings that replace each other while messages flow (CH3: T 3.3). */
@Tag("CH2")
@Tag("CH3")
@Tag("CM1")
class LiveSwitchTest {

  private static final ChannelKind[] KINDS = ChannelKind.values();
  private static final int COUNT = 4_000;

  /** Frames of this size do not fit the smallest ring. */
  private static final int EAGER_BYTES = 64 << 10;

  private TwoEngines engines;

  static Stream<Arguments> networks() {
    return Stream.of(
            SimConfig.mapped(),
            SimConfig.rdma(),
            SimConfig.unordered(),
            SimConfig.tcp(),
            SimConfig.tcp().withFirstRail(SimConfig.mapped().capabilities()))
        .flatMap(network -> Stream.of(Security.DEFAULT, Secured.SEALS)
            .map(security -> Arguments.of(network, security)));
  }

  /** Connects two nodes whose channels change only on request. */
  private void connect(SimConfig network, Security security) {
    engines = TwoEngines.connected(Setting.of(network)
        .with(EngineConfig.Large.DEFAULT.withEagerLimitBytes(EAGER_BYTES))
        .withChannels(() -> traffic -> {})
        .with(security, security));
  }

  private void choose(boolean atFar, ChannelKind kind) {
    DrivenEngine engine = atFar ? engines.far : engines.near;
    VirtualChannel channel = atFar ? engines.farChannel : engines.nearChannel;
    engine.run(() -> channel.chooseChannel(kind, 0));
  }

  private void loseARail() {
    engines.far.run(() -> {
      if (engines.farChannel.hasLiveRail()) {
        engines.farChannel.failSubchannel(engines.farChannel.live().get(0), "given up by the test");
      }
    });
  }

  private static boolean sendsOver(VirtualChannel channel, ChannelKind kind) {
    return channel.live().stream().allMatch(subchannel -> subchannel.peerRing().kind() == kind);
  }

  private void awaitDelivered(Flow flow, int count) {
    engines.await(flow::ended);
    flow.assertReceived(count);
    assertTrue(flow.completed, () -> "ended by " + flow.error);
  }

  private static int mixedBytes(long number) {
    return number % 50 == 0 ? 60_000 : 8 + (int) (number * 37 % 900);
  }

  @ParameterizedTest
  @MethodSource("networks")
  void beginsWithASmallRing(SimConfig network, Security security) {
    connect(network, security);

    for (Subchannel subchannel : engines.farChannel.live()) {
      assertEquals(Limits.POOLED_RING_BYTES, subchannel.incoming.size());
    }
    assertTrue(sendsOver(engines.nearChannel, ChannelKind.POOLED));
    awaitDelivered(engines.flow("short").sized(64).send(COUNT).receive(), COUNT);
    assertTrue(sendsOver(engines.nearChannel, ChannelKind.POOLED), "nobody chose another channel");
  }

  @ParameterizedTest
  @MethodSource("networks")
  void longMessagesGetALargerRing(SimConfig network, Security security) {
    connect(network, security);
    awaitDelivered(engines.flow("long").sized(60_000).send(100).receive(), 100);

    assertTrue(sendsOver(engines.nearChannel, ChannelKind.SHARED_RING));
    assertTrue(sendsOver(engines.farChannel, ChannelKind.POOLED), "the other direction is idle");
  }

  @ParameterizedTest
  @MethodSource("networks")
  void switchesInBothDirectionsUnderLoad(SimConfig network, Security security) {
    connect(network, security);
    Random random = new Random(7);
    Flow there = engines.flow("there").sized(LiveSwitchTest::mixedBytes);
    Flow back = engines.flow("back").back().sized(LiveSwitchTest::mixedBytes);
    there.onReceived = number -> {
      if (number % 100 == 0) {
        choose(true, KINDS[random.nextInt(KINDS.length)]);
      }
    };
    back.onReceived = number -> {
      if (number % 70 == 0) {
        choose(false, KINDS[random.nextInt(KINDS.length)]);
      }
    };
    there.send(COUNT).receive();
    back.send(COUNT).receive();

    awaitDelivered(there, COUNT);
    awaitDelivered(back, COUNT);
    engines.awaitQuiet();
    assertTrue(
        engines.farChannel.channelSwitches() > 10, () -> engines.farChannel.channelSwitches() + "");
    assertTrue(engines.nearChannel.channelSwitches() > 10);
  }

  @ParameterizedTest
  @MethodSource("networks")
  void givesTheMemoryOfARingBack(SimConfig network, Security security) {
    connect(network, security);
    awaitDelivered(engines.flow("any").sized(64).send(1).receive(), 1);
    engines.awaitQuiet();
    long before = engines.farChannel.readings().registeredBytes();
    choose(true, ChannelKind.DEDICATED_RING);
    engines.await(() -> sendsOver(engines.nearChannel, ChannelKind.DEDICATED_RING));
    awaitDelivered(engines.flow("first").sized(1_000).send(COUNT).receive(), COUNT);
    assertTrue(engines.farChannel.readings().registeredBytes() > before + (1 << 20));

    choose(true, ChannelKind.POOLED);
    engines.await(() -> sendsOver(engines.nearChannel, ChannelKind.POOLED));
    awaitDelivered(engines.flow("second").sized(1_000).send(COUNT).receive(), COUNT);
    engines.awaitQuiet();
    assertEquals(before, engines.farChannel.readings().registeredBytes());
  }

  @ParameterizedTest
  @MethodSource("networks")
  void losesNothingWhenRailsDieDuringSwitches(SimConfig network, Security security) {
    connect(network, security);
    Flow there = engines.flow("there").sized(LiveSwitchTest::mixedBytes);
    Flow back = engines.flow("back").back().sized(LiveSwitchTest::mixedBytes);
    int[] times = {0};
    there.onReceived = number -> {
      if (number % 400 == 0) {
        choose(true, KINDS[++times[0] % KINDS.length]);
      }
      if (number % 800 == 1) {
        loseARail();
      }
    };
    back.onReceived = number -> {
      if (number % 400 == 0) {
        choose(false, KINDS[++times[0] % KINDS.length]);
      }
    };
    there.send(COUNT).receive();
    back.send(COUNT).receive();

    awaitDelivered(there, COUNT);
    awaitDelivered(back, COUNT);
    assertTrue(engines.farChannel.readings().endpointsLost() >= 4);
  }

  /** The offer of a larger ring overtakes the gap that only a larger ring can close. */
  @ParameterizedTest
  @MethodSource("networks")
  void recoversWhileBothSidesSendMessagesThatNeedALargerRing(SimConfig network, Security security) {
    connect(network, security);
    Flow there = engines.flow("there").sized(60_000);
    Flow back = engines.flow("back").back().sized(60_000);
    there.onReceived = number -> {
      if (number % 20 == 1) {
        loseARail();
      }
    };
    there.send(200).receive();
    back.send(200).receive();

    awaitDelivered(there, 200);
    awaitDelivered(back, 200);
  }

  @ParameterizedTest
  @MethodSource("networks")
  void longMessagesBypassTheRingIfThePolicyPermitsSmallRingsOnly(
      SimConfig network, Security security) {
    engines = TwoEngines.connected(
        Setting.of(network).withChannels(PooledOnly::new).with(security, security));
    awaitDelivered(engines.flow("long").sized(60_000).send(100).receive(), 100);

    assertTrue(sendsOver(engines.nearChannel, ChannelKind.POOLED));
  }

  /** A policy that permits no larger ring. */
  private static final class PooledOnly implements ChannelPolicy {

    @Override
    public ChannelKind largest() {
      return ChannelKind.POOLED;
    }

    @Override
    public void decide(ChannelTraffic traffic) {
      // All peers keep the only kind.
    }
  }

  @ParameterizedTest
  @MethodSource("networks")
  void talkativePairGetsADedicatedRingWithinTicks(SimConfig network, Security security) {
    engines = TwoEngines.connected(
        Setting.of(network).withChannels(ChannelPolicy::onDemand).with(security, security));
    Flow flow = engines.flow("numbers").sized(64);
    flow.send(reactor.core.publisher.Flux.range(0, COUNT).map(Integer::longValue))
        .receive();
    awaitDelivered(flow, COUNT);
    engines.pass(1_100 * TwoEngines.MILLIS);
    engines.await(() -> sendsOver(engines.nearChannel, ChannelKind.DEDICATED_RING));

    engines.pass(40_000 * TwoEngines.MILLIS);
    engines.await(() -> sendsOver(engines.nearChannel, ChannelKind.POOLED));
  }
}
