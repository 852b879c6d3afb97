package io.railflux.engine;

import static io.railflux.engine.TwoEngines.MILLIS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.engine.TwoEngines.Setting;
import io.railflux.engine.base.Rail;
import io.railflux.engine.connect.Reconnect;
import io.railflux.engine.connect.Redials;
import io.railflux.engine.path.PathRepository;
import io.railflux.engine.path.Subchannel;
import io.railflux.fabric.Fabric;
import io.railflux.fabric.sim.SimConfig;
import io.railflux.fabric.sim.SimFaults;
import io.railflux.wire.handshake.HelloReject;
import io.railflux.wire.handshake.Versions;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The cost of a peer that loses its connections repeatedly, or never answers, for the side that reconnects. */
@Tag("FT4")
class RedialBoundsTest {

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
    engines.await(() -> !subchannel.isLive() && !isLiveNear(subchannel.id));
  }

  private boolean isLiveNear(int id) {
    return engines.nearChannel.live().stream().anyMatch(subchannel -> subchannel.id == id);
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
