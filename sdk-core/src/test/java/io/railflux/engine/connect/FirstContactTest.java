package io.railflux.engine.connect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.buffer.MemorySource;
import io.railflux.engine.Engine;
import io.railflux.engine.TwoEngines;
import io.railflux.engine.base.EngineConfig;
import io.railflux.engine.base.Rail;
import io.railflux.engine.base.SessionMemory;
import io.railflux.engine.base.StreamFailure;
import io.railflux.engine.path.Subchannel;
import io.railflux.engine.session.ChannelHost;
import io.railflux.engine.session.VirtualChannel;
import io.railflux.fabric.Endpoint;
import io.railflux.fabric.EndpointState;
import io.railflux.fabric.Protection;
import io.railflux.fabric.sim.LinkModel;
import io.railflux.fabric.sim.SimConfig;
import io.railflux.fabric.sim.SimTimings;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** First contact with a peer, and events of endpoints. */
class FirstContactTest {

  /** Addresses of a peer race for the first contact. The first rail is silent, slow, or fails halfway. */
  @Tag("FT4")
  @Nested
  class Races {

    private static final long HEAD_START_NANOS = EngineConfig.Timing.DEFAULT.handshakeNanos() / 20;

    /** A network that drops all packets: connection attempts receive no answer. */
    private static final long FOR_LONG = 60_000 * TwoEngines.MILLIS;

    private final List<VirtualChannel> accepted = new ArrayList<>();
    private final List<StreamFailure> farEnds = new ArrayList<>();
    private final List<String> failures = new ArrayList<>();
    private final TwoEngines engines = TwoEngines.apart(TwoEngines.Setting.of(SimConfig.tcp()
        .withRails(2)
        .withTimings(SimTimings.DEFAULT
            .withConnectTimeout(FOR_LONG)
            .withRetransmitInterval(1_000 * TwoEngines.MILLIS)
            .withRetryTimeout(2_000 * TwoEngines.MILLIS))));
    private VirtualChannel channel;
    private Runnable giveUp;

    @BeforeEach
    void accept() {
      engines.far.engine().onAccepted(far -> {
        accepted.add(far);
        far.onEnd(farEnds::add);
      });
    }

    private void connect() {
      List<Rail.Target> targets = engines.targets();
      engines.near.run(() ->
          giveUp = engines.near.engine().connect(targets, new ChannelHost.Listener() {
            @Override
            public void onEstablished(VirtualChannel established) {
              channel = established;
            }

            @Override
            public void onFailed(String reason) {
              failures.add(reason);
            }
          }));
    }

    private void slow(int rail, long millis) {
      long latency = millis * TwoEngines.MILLIS;
      engines.link(rail).model(LinkModel.FAST.withLatency(latency, latency));
    }

    /** Requires one session that finally uses both rails, without a rejection. */
    private void assertOneSession() {
      engines.await(() -> TwoEngines.live(channel) == 2);
      engines.pass(TwoEngines.PATIENCE_NANOS);
      assertEquals(List.of(channel), engines.near.engine().channels());
      assertEquals(accepted, engines.far.engine().channels());
      assertEquals(1, accepted.size());
      assertEquals(2, TwoEngines.live(accepted.get(0)));
      assertEquals(0, channel.counters().endpointsLost());
      assertEquals(0, engines.far.engine().refusals().handshakes());
      assertEquals(0, engines.near.engine().refusals().handshakes());
      assertEquals(List.of(), failures);
    }

    @Test
    void silentAddressDelaysTheNextByItsHeadStart() {
      engines.link(0).blackHole();
      long since = engines.network.now();
      connect();
      engines.await(() -> channel != null);

      long took = engines.network.now() - since;
      assertTrue(
          took >= HEAD_START_NANOS && took < HEAD_START_NANOS + TwoEngines.MILLIS, took + " ns");
      engines.link(0).heal();
      assertOneSession();
    }

    @Test
    void failedAddressStartsTheNextImmediately() {
      engines.link(0).down();
      long since = engines.network.now();
      connect();
      engines.await(() -> channel != null);

      long took = engines.network.now() - since;
      assertTrue(took < TwoEngines.MILLIS, took + " ns");
      engines.link(0).heal();
      assertOneSession();
    }

    @Test
    void firstAddressWinsIfItAnswersInTime() {
      slow(0, 50);
      connect();
      engines.await(() -> channel != null);

      assertEquals("sim0", channel.live().get(0).rail.fabric().name());
      assertOneSession();
    }

    /** Both attempts are answered before one of them completes. Only one may reveal that it begins a session. */
    @Test
    void answerToTheSlowerAddressHasNoEffect() {
      for (long millis = 40; millis <= 160; millis += 4) {
        Races race = new Races();
        race.accept();
        race.slow(0, millis);
        race.slow(1, 20);
        race.connect();
        race.engines.await(() -> race.channel != null);
        race.assertOneSession();
      }
    }

    @Test
    void nextAnsweredAttemptReplacesOneThatFailsHalfway() {
      slow(0, 100);
      slow(1, 60);
      connect();
      // The HELLO of the peer arrives over the first rail at 400 ms and over the second at 490 ms.
      // The answer to the
      // former is lost.
      engines.pass(390 * TwoEngines.MILLIS);
      engines.link(0).blackHoleFrom(engines.near.host());
      engines.pass(210 * TwoEngines.MILLIS);
      assertEquals(null, channel);

      engines.await(() -> channel != null);
      assertEquals("sim1", channel.live().get(0).rail.fabric().name());
      assertEquals(1, accepted.size());
      engines.link(0).heal();
      engines.await(() -> TwoEngines.live(channel) == 2);
    }

    private static final MemorySource NOTHING = new MemorySource() {
      @Override
      public boolean hasRoom(long bytes) {
        return false;
      }

      @Override
      public ByteBuffer allocate(int bytes) {
        throw new OutOfMemoryError("on purpose");
      }

      @Override
      public String usage() {
        return "no attempt remains";
      }
    };

    @Test
    void failureIsReportedOnceIfTheNextAttemptFailsAsWell() {
      slow(0, 100);
      slow(1, 60);
      connect();
      engines.pass(390 * TwoEngines.MILLIS);
      engines.link(0).blackHoleFrom(engines.near.host());
      engines.pass(210 * TwoEngines.MILLIS);
      assertEquals(null, channel);
      engines.near.memory(NOTHING);

      engines.await(() -> !failures.isEmpty());
      engines.pass(TwoEngines.PATIENCE_NANOS);
      assertEquals(1, failures.size(), failures.toString());
      assertTrue(failures.get(0).contains("no attempt remains"), failures.get(0));
    }

    @Test
    void cancelledRaceLeavesNothing() {
      for (long millis = 0; millis <= 700; millis += 10) {
        Races race = new Races();
        race.accept();
        race.slow(0, 100);
        race.slow(1, 60);
        race.connect();
        race.engines.pass(millis * TwoEngines.MILLIS);
        race.engines.near.run(() -> race.giveUp.run());
        race.engines.pass(EngineConfig.Timing.DEFAULT.partitionNanos() + TwoEngines.PATIENCE_NANOS);

        assertEquals(List.of(), race.engines.near.engine().channels());
        assertEquals(List.of(), race.engines.far.engine().channels());
        assertEquals(race.accepted.size(), race.farEnds.size());
        assertEquals(List.of(), race.failures);
      }
    }

    @Test
    void failureListsAllAddresses() {
      engines.link(0).down();
      engines.link(1).down();
      connect();
      engines.await(() -> !failures.isEmpty());

      assertNotNull(failures.get(0));
      assertTrue(failures.get(0).startsWith("sim0:far/service: "), failures.get(0));
      assertEquals(2, failures.get(0).split("is down", -1).length - 1, failures.get(0));
    }
  }

  /** Events of endpoints, and failures during their handling. */
  @Nested
  class EndpointEvents {

    private StreamFailure ended;

    /** Otherwise the fabric would unmap memory that the reader of a ring uses. */
    @Test
    void localFailureEndsTheSessionOfTheEndpoint() {
      TwoEngines engines = TwoEngines.connected(SimConfig.mapped());
      engines.nearChannel.onEnd(failure -> ended = failure);
      Subchannel subchannel = engines.nearChannel.live().get(0);

      engines.near.run(() -> engines
          .near
          .engine()
          .connections()
          .handshakes(subchannel.rail)
          .onCompletion(subchannel.endpoint, null));

      engines.await(() -> ended != null);
      assertEquals(StreamFailure.Kind.LOST, ended.kind());
    }

    @ParameterizedTest
    @ValueSource(strings = {"protection", "postReceive"})
    void acceptedEndpointIsClosedIfItsHandshakeCannotBegin(String failing) {
      TwoEngines engines = TwoEngines.connected(SimConfig.tcp());
      Engine far = engines.far.engine();
      Rail rail = far.rails().get(0);
      List<String> calls = new ArrayList<>();
      Endpoint endpoint = (Endpoint) Proxy.newProxyInstance(
          Endpoint.class.getClassLoader(),
          new Class<?>[] {Endpoint.class},
          (self, method, arguments) -> {
            calls.add(method.getName());
            if (method.getName().equals(failing)) {
              throw new OutOfMemoryError("Direct buffer memory");
            }
            return switch (method.getName()) {
              case "id" -> 4711L;
              case "remoteDescription", "remoteHost" -> "a peer";
              case "protection" -> Protection.NONE;
              case "fence", "close" -> null;
              default -> throw new UnsupportedOperationException(method.getName());
            };
          });
      engines.far.run(() -> far.connections().handshakes(rail).onConnected(endpoint, -1));
      engines.await(() -> calls.contains("close"));

      assertEquals(1, far.refusals().handshakes());
      assertEquals(1, TwoEngines.live(engines.farChannel));
    }

    @Test
    void attemptWithoutMemoryFailsAndItsEndpointIsClosed() {
      TwoEngines engines = TwoEngines.apart(TwoEngines.Setting.of(SimConfig.tcp()));
      Rail.Target target = engines.targets().get(0);
      Unable dial = new Unable();
      engines.near.run(() -> engines
          .near
          .engine()
          .connections()
          .handshakes(target.rail())
          .connect(target.location(), dial));
      engines.await(() -> dial.failure != null);

      assertTrue(dial.failure.contains("Direct buffer memory"), dial.failure);
      assertEquals(EndpointState.CLOSED, dial.endpoint.state());
    }

    private static final class Unable implements EndpointRegistry.Dial {

      private Endpoint endpoint;
      private String failure;

      @Override
      public boolean isObsolete() {
        return false;
      }

      @Override
      public Handshake handshake(
          Connections connections,
          Rail rail,
          Endpoint connected,
          SessionMemory.HandshakeMemory messages) {
        endpoint = connected;
        throw new OutOfMemoryError("Direct buffer memory");
      }

      @Override
      public void failed(String reason) {
        failure = reason;
      }

      @Override
      public void nodeLeaves(String reason) {}
    }
  }
}
