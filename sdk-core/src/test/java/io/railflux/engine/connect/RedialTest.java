package io.railflux.engine.connect;

import static io.railflux.engine.TwoEngines.MILLIS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.engine.Engine;
import io.railflux.engine.Flow;
import io.railflux.engine.Mallory;
import io.railflux.engine.Secured;
import io.railflux.engine.TwoEngines;
import io.railflux.engine.TwoEngines.Setting;
import io.railflux.engine.base.Rail;
import io.railflux.engine.base.Security;
import io.railflux.fabric.sim.SimConfig;
import io.railflux.metrics.RailEvent;
import io.railflux.metrics.RailEvent.Kind;
import io.railflux.wire.MalformedFrameException;
import io.railflux.wire.handshake.HandshakeHeader;
import io.railflux.wire.handshake.HelloReject;
import io.railflux.wire.handshake.RedialRequest;
import io.railflux.wire.handshake.Versions;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The side that re-establishes a lost connection if both sides know an address of the other: the side with the higher
 * id.
 */
@Tag("FT4")
class RedialTest {

  private static final int MESSAGES = 5_000;
  private static final String NEAR = "near/service";

  private final List<RailEvent> ofNear = new ArrayList<>();
  private final List<RailEvent> ofFar = new ArrayList<>();
  private TwoEngines engines;

  /** Both sides listen, and each knows the address of the other. */
  private void connected(boolean farIsHigher, int rails, Security security) throws IOException {
    Setting setting = Setting.of(SimConfig.rdma().withRails(rails)).with(security, security);
    long seed = 1;
    do {
      engines = TwoEngines.apart(setting, seed++);
    } while (farIsHigher != far().incarnation().isHigherThan(near().incarnation()));
    for (Rail rail : near().rails()) {
      near().listen(rail, "service");
    }
    engines.connect();
    near().onRailEvent((channel, event) -> ofNear.add(event));
    far().onRailEvent((channel, event) -> ofFar.add(event));
    peerListensAt(NEAR);
    peerRedials(true);
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

  private void peerRedials(boolean does) {
    Reconnect.of(engines.nearChannel).peerRedials((rail, host) -> does);
  }

  private Flow underWay() {
    Flow flow = engines.flow("numbers").sized(1_000).send(MESSAGES).receive();
    engines.await(() -> flow.received.size() > MESSAGES / 10);
    return flow;
  }

  private void finish(Flow flow) {
    engines.await(flow::ended);
    flow.assertReceived(MESSAGES);
    assertEquals(0, engines.farChannel.counters().duplicatesDropped(), "replayed what had arrived");
    engines.awaitQuiet();
  }

  private void loseAndHeal(int rail) {
    engines.link(rail).down();
    engines.await(() -> ofNear.stream().anyMatch(event -> event.kind() == Kind.LOST)
        && ofFar.stream().anyMatch(event -> event.kind() == Kind.LOST));
    engines.link(rail).heal();
  }

  private void awaitRails(int rails) {
    engines.await(() -> TwoEngines.live(engines.nearChannel) == rails
        && TwoEngines.live(engines.farChannel) == rails);
  }

  /** Returns whether the far side established the latest endpoint of a rail. */
  private boolean farMadeIt(int rail) {
    return engines.farChannel.live().stream()
        .filter(subchannel -> subchannel.rail.index() == rail)
        .allMatch(subchannel -> subchannel.endpoint.remoteDescription().endsWith(" " + NEAR));
  }

  private static long count(List<RailEvent> events, Kind kind) {
    return events.stream().filter(event -> event.kind() == kind).count();
  }

  @Test
  void acceptingSideReconnectsIfItsIdIsHigher() throws IOException {
    connected(true, 1, Security.DEFAULT);
    Flow flow = underWay();
    assertFalse(farMadeIt(0));

    loseAndHeal(0);
    finish(flow);

    assertTrue(farMadeIt(0));
    assertEquals(1, engines.nearChannel.rails().size(), "the same path");
    assertEquals(1, engines.farChannel.rails().size(), "the same path");
    assertTrue(count(ofFar, Kind.RETRYING) > 0);
  }

  @Test
  void connectingSideReconnectsIfItsIdIsHigher() throws IOException {
    connected(false, 1, Security.DEFAULT);
    Flow flow = underWay();

    loseAndHeal(0);
    finish(flow);

    assertFalse(farMadeIt(0));
    assertEquals(0, count(ofFar, Kind.RETRYING));
  }

  @Test
  void onlyOneSideAttempts() throws IOException {
    connected(true, 2, Security.DEFAULT);
    loseAndHeal(0);
    awaitRails(2);

    assertTrue(farMadeIt(0));
    assertEquals(1, count(ofNear, Kind.RETRYING));
    assertTrue(ofNear.stream().anyMatch(event -> event.text().contains("the higher id")));
    finish(underWay());
  }

  @Test
  void reconnectsWithAuthentication() throws IOException {
    connected(true, 2, Secured.SEALS);
    Flow flow = underWay();

    loseAndHeal(1);
    finish(flow);
    awaitRails(2);

    assertTrue(farMadeIt(1));
    assertEquals(0, far().refusals().handshakes());
    assertEquals(0, near().refusals().handshakes());
  }

  @Test
  void otherSideAttemptsAfterATimeout() throws IOException {
    connected(true, 1, Security.DEFAULT);
    peerListensAt("near/nowhere");
    Flow flow = underWay();

    loseAndHeal(0);
    finish(flow);

    assertFalse(farMadeIt(0));
    assertTrue(count(ofFar, Kind.RETRYING) > 1);
    long before = count(ofFar, Kind.RETRYING);
    engines.pass(1_000 * MILLIS);
    assertEquals(before, count(ofFar, Kind.RETRYING), "the connection exists");
  }

  @Test
  void simultaneousAttemptsEstablishOneConnection() throws IOException {
    connected(true, 2, Security.DEFAULT);
    peerRedials(false);
    for (int lost = 0; lost < 20; lost++) {
      ofNear.clear();
      ofFar.clear();
      loseAndHeal(lost % 2);
      awaitRails(2);
      engines.pass(20 * MILLIS);
      awaitRails(2);
    }
    finish(underWay());

    assertEquals(2, engines.nearChannel.rails().size());
    assertEquals(2, engines.farChannel.rails().size());
  }

  @Test
  void doesNotWaitAgainForASideThatWasLate() throws IOException {
    connected(true, 2, Security.DEFAULT);
    peerListensAt(null);
    loseAndHeal(0);
    awaitRails(2);
    ofNear.clear();
    ofFar.clear();
    long before = engines.network.now();
    loseAndHeal(0);
    awaitRails(2);

    assertFalse(ofNear.stream().anyMatch(event -> event.text().contains("the higher id")));
    long detect = near().config().timing().detectNanos();
    assertTrue(engines.network.now() - before < detect, "it did not wait");
  }

  @Test
  void connectionsToOneHostRemainSeparatePaths() throws IOException {
    connected(true, 1, Security.DEFAULT);
    Rail.Target target = Reconnect.of(engines.nearChannel).targets().get(0);
    engines.near.run(() -> {
      Reconnect.of(engines.nearChannel).add(target);
      Reconnect.of(engines.nearChannel).add(target);
    });
    awaitRails(3);
    for (int lost = 0; lost < 5; lost++) {
      ofNear.clear();
      ofFar.clear();
      engines.link(0).down();
      engines.await(() ->
          TwoEngines.live(engines.nearChannel) == 0 && TwoEngines.live(engines.farChannel) == 0);
      engines.link(0).heal();
      awaitRails(3);

      assertTrue(farMadeIt(0));
      assertEquals(3, count(ofNear, Kind.RETRYING), "each was left to the peer");
    }
    assertEquals(3, engines.farChannel.rails().size());
    finish(underWay());
  }

  @Test
  void drainingNodeStillReconnects() throws IOException {
    connected(true, 1, Security.DEFAULT);
    Flow flow = underWay();
    engines.link(0).blackHole();
    engines.await(() -> count(ofFar, Kind.LOST) == 1 && count(ofNear, Kind.LOST) == 1);
    // The first attempt is pending by then.
    engines.pass(15 * MILLIS);
    engines.far.run(() -> far().leave("by the test"));
    engines.pass(100 * MILLIS);
    engines.link(0).heal();

    finish(flow);
    assertTrue(farMadeIt(0));
  }

  @Test
  void removedRailIsNotReconnected() throws IOException {
    connected(true, 2, Security.DEFAULT);
    engines.link(0).down();
    engines.await(() -> count(ofFar, Kind.RETRYING) > 1);
    Rail.Target removed = Reconnect.of(engines.nearChannel).targets().get(0);
    engines.near.run(() -> Reconnect.of(engines.nearChannel).remove(removed, "by the test"));
    engines.awaitQuiet();
    engines.pass(500 * MILLIS);
    long tries = count(ofFar, Kind.RETRYING);
    engines.link(0).heal();
    engines.pass(1_000 * MILLIS);

    assertEquals(tries, count(ofFar, Kind.RETRYING));
    assertEquals(1, TwoEngines.live(engines.nearChannel));
    assertEquals(1, TwoEngines.live(engines.farChannel));
  }

  @Test
  void closingSideMakesNoFurtherAttempt() throws IOException {
    connected(true, 1, Security.DEFAULT);
    engines.link(0).down();
    engines.await(() -> count(ofFar, Kind.RETRYING) > 1);
    engines.far.run(() -> engines.farChannel.abort("by the test"));
    engines.pass(MILLIS);
    long tries = count(ofFar, Kind.RETRYING);
    engines.pass(1_000 * MILLIS);

    assertEquals(tries, count(ofFar, Kind.RETRYING));
  }

  private RedialRequest request(long wrongBy) {
    return new RedialRequest(
        Versions.SUPPORTED,
        far().incarnation().high(),
        far().incarnation().low(),
        engines.nearChannel.session().epoch(),
        engines.nearChannel.live().get(0).id,
        engines.nearChannel.session().ownFirstPsn() + wrongBy);
  }

  private Mallory.End asks(RedialRequest request) {
    ByteBuffer message = ByteBuffer.allocate(RedialRequest.BYTES);
    request.encode(message);
    Mallory.End stranger = new Mallory(engines.network, NEAR).dial();
    stranger.say(message.array());
    engines.pass(10 * MILLIS);
    return stranger;
  }

  @Test
  void rejectsAPeerWithoutTheSession() throws IOException, MalformedFrameException {
    connected(true, 1, Security.DEFAULT);
    Mallory.End stranger = asks(request(1));

    ByteBuffer answer = ByteBuffer.wrap(stranger.received.get(0));
    assertEquals(HandshakeHeader.HELLO_REJECT, HandshakeHeader.messageType(answer));
    assertEquals(HelloReject.UNKNOWN_SESSION, HelloReject.decode(answer).reason());
    assertEquals(1, near().refusals().handshakes());
  }

  @Test
  void replacedConnectionIsRejectedWithoutAnAlarm() throws IOException, MalformedFrameException {
    connected(true, 1, Security.DEFAULT);
    RedialRequest former = request(0);
    loseAndHeal(0);
    awaitRails(1);
    Mallory.End late = asks(former);

    assertEquals(
        HandshakeHeader.HELLO_REJECT,
        HandshakeHeader.messageType(ByteBuffer.wrap(late.received.get(0))));
    assertEquals(0, near().refusals().handshakes());
    finish(underWay());
  }

  @Test
  void liveConnectionIsNotReplaced() throws IOException {
    connected(true, 1, Security.DEFAULT);
    Mallory.End stranger = asks(request(0));

    assertEquals(List.of(), stranger.received);
    assertNotNull(stranger.failure);
    assertEquals(List.of(), ofNear);
    finish(underWay());
  }

  /** The stranger knows the numbers of the session, but not the secret. The real peer can still reconnect. */
  @Test
  void strangerInPlaceOfThePeerDoesNotPreventReconnection() throws IOException {
    connected(true, 1, Secured.KNOWS);
    peerListensAt(null);
    peerRedials(false);
    RedialRequest request = request(0);
    engines.link(0).down();
    engines.await(() -> count(ofNear, Kind.RETRYING) > 2);
    Mallory.End stranger = asks(request);
    assertFalse(stranger.received.isEmpty());
    engines.link(0).heal();

    awaitRails(1);
    assertNull(engines.connectFailure);
    finish(underWay());
  }
}
