package io.railflux.engine;

import static io.railflux.engine.TwoEngines.MILLIS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.engine.TwoEngines.Setting;
import io.railflux.engine.base.EngineConfig;
import io.railflux.engine.base.Rail;
import io.railflux.engine.base.StreamFailure;
import io.railflux.engine.connect.Reconnect;
import io.railflux.engine.connect.Redials;
import io.railflux.engine.path.PathRepository;
import io.railflux.engine.path.Subchannel;
import io.railflux.engine.session.ChannelHost;
import io.railflux.engine.session.VirtualChannel;
import io.railflux.fabric.Fabric;
import io.railflux.fabric.sim.SimConfig;
import io.railflux.fabric.sim.SimFaults;
import io.railflux.wire.handshake.HelloReject;
import io.railflux.wire.handshake.Versions;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Bounds of lost and abandoned connections. */
class RedialBoundsTest {

  /** The cost of a peer that loses its connections repeatedly, or never answers, for the side that reconnects. */
  @Tag("FT4")
  @Nested
  class Bounds {

    private TwoEngines engines;
    private Mallory silent;
    private Rail.Target target;

    /** The far side has the higher id and knows an address of its peer without a listener. */
    private void connected(int rails) throws IOException {
      Setting setting = Setting.of(SimConfig.rdma().withRails(rails));
      long seed = 1;
      do {
        engines = TwoEngines.apart(setting, seed++);
      } while (!far().incarnation().isHigherThan(near().incarnation()));
      engines.network.faults(SimFaults.NONE.withCloseNotice(1));
      near().listen(near().rails().get(0), "service");
      engines.connect();
      target = Reconnect.of(engines.nearChannel).targets().get(0);
      silent = new Mallory(engines.network, "near/service");
      silent.answerOfItsOwn = Mallory.SILENCE;
      peerListensAt(Mallory.LOCATION);
    }

    private Engine near() {
      return engines.near.engine();
    }

    private Engine far() {
      return engines.far.engine();
    }

    private void peerListensAt(String location) {
      Redials.of(engines.farChannel).peerListens((rail, host) -> location);
    }

    private void nearWaitsForItsPeer(boolean does) {
      Reconnect.of(engines.nearChannel).peerRedials((rail, host) -> does);
    }

    private Subchannel newest() {
      List<Subchannel> live = engines.farChannel.live();
      return live.get(live.size() - 1);
    }

    private void lose(Subchannel subchannel) {
      engines.far.run(() -> engines.farChannel.failSubchannel(subchannel, "by the test"));
      engines.await(() -> !subchannel.isLive()
          && engines.nearChannel.live().stream().noneMatch(live -> live.id == subchannel.id));
    }

    private void awaitRails(int rails) {
      engines.await(() -> TwoEngines.live(engines.nearChannel) == rails
          && TwoEngines.live(engines.farChannel) == rails);
    }

    @Test
    void repeatedlyLostPathIsDialedOnceAtATimeBesideALostOne() throws IOException {
      connected(1);
      Fabric.Listening doomed = far().listen(far().rails().get(0), "doomed");
      Rail.Target second = new Rail.Target(target.rail(), doomed.location());
      engines.near.run(() -> Reconnect.of(engines.nearChannel).add(second));
      awaitRails(2);
      engines.far.run(doomed::close);
      lose(newest());

      for (int lost = 0; lost < 30; lost++) {
        lose(newest());
        awaitRails(1);
        engines.pass(20 * MILLIS);
        assertTrue(silent.open().size() <= 2, silent.open().size() + " endpoints for two paths");
      }
      assertEquals(2, silent.open().size());
      assertEquals(2, engines.farChannel.rails().size());
    }

    @Test
    void repeatedlyLostAndRemovedPathsAreDialedALimitedNumberOfTimes() throws IOException {
      connected(2);
      nearWaitsForItsPeer(true);
      for (int lost = 0; lost < 2 * PathRepository.MAX_PATHS; lost++) {
        Subchannel first = engines.farChannel.live().stream()
            .filter(subchannel -> subchannel.rail.index() == 0)
            .findFirst()
            .orElseThrow();
        lose(first);
        engines.pass(11 * MILLIS);
        engines.near.run(() -> Reconnect.of(engines.nearChannel).remove(target, "by the test"));
        engines.await(() -> engines.farChannel.rails().size() == 1);
        engines.near.run(() -> Reconnect.of(engines.nearChannel).add(target));
        awaitRails(2);
      }
      assertEquals(PathRepository.MAX_PATHS, silent.open().size());

      lose(newest());
      silent.open().forEach(Mallory.End::hangUp);
      engines.pass(200 * MILLIS);
      assertTrue(silent.open().size() <= 1, "dialed a removed path");
      awaitRails(2);
    }

    /**
     * @param ends ends the pending attempt; the peer then listens at its address
     */
    private void lostAgainDuringATry(Consumer<Mallory.End> ends) throws IOException {
      connected(1);
      Subchannel first = newest();
      lose(first);
      awaitRails(1);
      engines.await(() -> silent.open().size() == 1);
      Subchannel second = newest();
      assertNotEquals(first.id, second.id);
      nearWaitsForItsPeer(true);
      lose(second);
      engines.pass(50 * MILLIS);
      peerListensAt("near/service");
      ends.accept(silent.open().get(0));

      awaitRails(1);
      String description = newest().endpoint.remoteDescription();
      assertTrue(
          description.endsWith(" near/service"), "the far side established it: " + description);
      assertEquals(1, engines.farChannel.rails().size(), "the same path");
    }

    @Test
    void pathLostAgainDuringAFailedAttemptIsDialedNext() throws IOException {
      lostAgainDuringATry(Mallory.End::hangUp);
    }

    @Test
    void pathLostAgainDuringARejectedAttemptIsDialedNext() throws IOException {
      ByteBuffer refusal = ByteBuffer.allocate(64);
      new HelloReject(Versions.SUPPORTED, HelloReject.MALFORMED, "not lost").encode(refusal);
      lostAgainDuringATry(end -> end.say(refusal.array()));
    }

    @Test
    void returnedPathIsDialedAgainAfterAnotherLoss() throws IOException {
      connected(1);
      for (int lost = 0; lost < 3; lost++) {
        assertEquals(List.of(), silent.open());
        lose(newest());
        engines.await(() -> silent.open().size() == 1);
        awaitRails(1);
        silent.open().forEach(Mallory.End::hangUp);
        engines.pass(200 * MILLIS);
      }
    }

    @Test
    void peerWithAnInvalidAnswerIsNotDialedConcurrently() throws IOException {
      connected(1);
      silent.answerOfItsOwn = new byte[] {'R'};
      nearWaitsForItsPeer(true);
      lose(newest());
      engines.pass(400 * MILLIS);
      assertEquals(1, silent.open().size());

      silent.open().get(0).hangUp();
      engines.await(() -> silent.open().size() == 1);
      awaitRails(1);
    }
  }

  /** A connection that is given up at any moment leaves no session on either side. */
  @Nested
  class GivenUpConnections {

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
}
