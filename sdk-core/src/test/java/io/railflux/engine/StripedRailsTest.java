package io.railflux.engine;

import static java.util.stream.Collectors.toSet;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.engine.TwoEngines.Setting;
import io.railflux.engine.base.EngineConfig;
import io.railflux.engine.base.Rail;
import io.railflux.engine.connect.Reconnect;
import io.railflux.engine.session.SessionLifecycle;
import io.railflux.engine.stream.Exchanges;
import io.railflux.engine.stream.PeerFlux;
import io.railflux.fabric.sim.SimConfig;
import io.railflux.pipeline.ReceivePipeline;
import io.railflux.policy.Marker;
import io.railflux.policy.Paths;
import io.railflux.policy.StripingPolicy;
import io.railflux.wire.FrameHeader;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Sinks;
import reactor.util.context.Context;

/** Calls of the striping policy with several rails, and the cost of a single rail. */
class StripedRailsTest {

  /** The engine's calls of a striping policy, and its use of the results. */
  @Tag("MR1")
  @Tag("MR2")
  @Nested
  class SeveralRails {

    private static final int COUNT = 400;
    private static final int BODY_BYTES = 4_000;
    private static final int RING_BYTES = 64 << 10;

    /** One call: the number of rails, the length and the purpose. */
    private record Asked(int live, int lengthBytes, Marker marker) {}

    private final List<Asked> asked = new ArrayList<>();
    private int answer;
    private boolean broken;
    private TwoEngines engines;

    /** Connects over two rails of known rates, and records the calls of the near side. */
    private void connect() {
      connect(EngineConfig.Limits.DEFAULT);
    }

    private void connect(EngineConfig.Limits limits) {
      // The far side accepts the session before it exists on the near side.
      ArrayDeque<StripingPolicy> policies =
          new ArrayDeque<>(List.of(StripingPolicy.binding(), this::choose));
      engines = TwoEngines.connected(
          Setting.of(SimConfig.rdma().withRails(2)).with(limits).with(policies::remove));
      for (int rail = 0; rail < 2; rail++) {
        answer = rail;
        sendAll();
      }
      answer = 0;
      engines.awaitQuiet();
      asked.clear();
    }

    private int choose(Paths live, int lengthBytes, Marker marker) {
      asked.add(new Asked(live.count(), lengthBytes, marker));
      if (broken) {
        throw new IllegalStateException("on purpose");
      }
      return answer;
    }

    private long written(int rail) {
      return engines.nearChannel.live().get(rail).writer().ring().written();
    }

    private Flow sendAll() {
      Flow flow = engines.flow("numbers").sized(BODY_BYTES).send(COUNT).receive();
      engines.await(flow::ended);
      flow.assertReceived(COUNT);
      return flow;
    }

    @Test
    void messagesUseTheChosenRail() {
      connect();
      for (int rail = 0; rail < 2; rail++) {
        answer = rail;
        long[] before = {written(0), written(1)};
        sendAll();

        assertTrue(written(rail) - before[rail] > (long) COUNT * BODY_BYTES);
        assertTrue(written(1 - rail) - before[1 - rail] < BODY_BYTES, "there is no other message");
      }
    }

    @Test
    void policyReceivesTheNumberOfRailsAndTheLength() {
      connect();
      sendAll();

      assertTrue(asked.stream().allMatch(a -> a.live() == 2), asked::toString);
      assertTrue(
          asked.stream().filter(a -> a.lengthBytes() >= BODY_BYTES).count() >= COUNT,
          "messages without a call of the policy");
    }

    @Test
    @Tag("MR9")
    void policyReceivesTheKindUnlessTheUserOverridesIt() {
      connect();
      assertEquals(List.of(Marker.REQUEST), markersOfARequest(Context.empty()));
      asked.clear();

      assertEquals(
          List.of(Marker.STREAM), markersOfARequest(Context.of(Marker.class, Marker.STREAM)));
    }

    @Test
    @Tag("MR9")
    void policyReceivesTheMarkerOfAStreamOfSmallMessages() {
      connect();
      Flow flow = engines
          .flow("awaited")
          .with(Context.of(Marker.class, Marker.REQUEST))
          .sized(BODY_BYTES)
          .send(COUNT)
          .receive();
      engines.await(flow::ended);

      assertEquals(Set.of(Marker.REQUEST), asked.stream().map(Asked::marker).collect(toSet()));
    }

    private List<Marker> markersOfARequest(Context said) {
      engines.far.engine().respond("one", new NumberResponder(engines.far, true, Flux.just(1L)));
      List<Long> replies = new ArrayList<>();
      engines.near.run(() -> ReceivePipeline.assemble(
              new PeerFlux.Replies<>(
                  engines.nearChannel.streams(),
                  new Exchanges.RouteKey("one", "number", "number"),
                  1L,
                  NumberResponder.NUMBER),
              frame -> frame.body().getLong())
          .contextWrite(said)
          .subscribe(replies::add));
      engines.await(() -> !replies.isEmpty());
      return asked.stream().map(Asked::marker).toList();
    }

    /** Turns count messages, not attempts. If no rail has space, the policy is not called. */
    @Test
    void policyIsCalledOncePerMessage() {
      connect(new EngineConfig.Limits(RING_BYTES, 1 << 20, 1024, BODY_BYTES, 8, 8, 8));
      engines.link(0).crawl(20_000_000);
      engines.link(1).crawl(20_000_000);
      sendAll();

      assertEquals(
          COUNT, asked.stream().filter(a -> a.lengthBytes() >= BODY_BYTES).count());
    }

    @Test
    void policyIsNotCalledForASingleRail() {
      connect();
      answer = 1;
      engines.link(0).down();
      engines.near.run(() ->
          engines.nearChannel.failSubchannel(engines.nearChannel.live().get(0), "by the test"));
      engines.await(() -> TwoEngines.live(engines.nearChannel) == 1);
      asked.clear();
      sendAll();

      assertEquals(List.of(), asked);
    }

    @Test
    void railWithoutSpaceIsSkipped() {
      // The rings fill up, but the log does not.
      connect(new EngineConfig.Limits(RING_BYTES, 1 << 20, 1024, BODY_BYTES, 8, 8, 8));
      long before = written(1);
      engines.link(0).crawl(20_000_000);
      sendAll();

      assertTrue(written(1) - before > (long) COUNT * BODY_BYTES / 4, "waited for the slow rail");
    }

    @Test
    void numberBeyondTheRailsIsReducedModulo() {
      connect();
      for (int number : new int[] {-1, 3, Integer.MAX_VALUE}) {
        answer = number;
        long before = written(1);
        sendAll();

        assertTrue(written(1) - before > (long) COUNT * BODY_BYTES, () -> number + " of 2");
      }
    }

    @Test
    void failedPolicyIsReplacedByTheFirstRail() {
      connect();
      broken = true;
      long before = written(0);
      sendAll();

      assertTrue(written(0) - before > (long) COUNT * BODY_BYTES);
      assertEquals(SessionLifecycle.State.ESTABLISHED, engines.nearChannel.state());
    }

    /** Answers need no own turn, in which space would be searched. */
    @Test
    void joinedRailTakesItsShareOfAnswers() {
      engines = TwoEngines.apart(Setting.of(SimConfig.mapped().withRails(2)));
      List<Rail.Target> targets = engines.targets();
      engines.connect(targets.subList(0, 1));
      Sinks.Many<Long> questions = Sinks.many().unicast().onBackpressureBuffer();
      Sinks.Many<Long> answers = Sinks.many().unicast().onBackpressureBuffer();
      Flow asked = engines.flow("questions").send(questions.asFlux()).receive();
      asked.onReceived = answers::tryEmitNext;
      Flow answered = engines.flow("answers").back().send(answers.asFlux()).receive();
      ask(questions, answered, 0);
      engines.near.run(() -> Reconnect.of(engines.nearChannel).add(targets.get(1), joined -> {}));
      engines.await(() -> TwoEngines.live(engines.farChannel) == 2);
      engines.awaitQuiet();
      long before = engines.farChannel.live().get(1).writer().ring().written();
      ask(questions, answered, 1);
      ask(questions, answered, 2);
      assertTrue(engines.farChannel.live().get(1).writer().ring().written() > before);
    }

    private void ask(Sinks.Many<Long> questions, Flow answered, long number) {
      engines.near.run(() -> questions.tryEmitNext(number).orThrow());
      engines.await(() -> answered.received.size() > number);
    }
  }

  /**
   * With one rail and no fault, the support for several rails and faults adds no byte and no decision (FT7: V 9.4).
   * {@code samples/railflux netlab overhead} measures its cost in time.
   */
  @Tag("FT7")
  @Nested
  class OneRail {

    private static final long COUNT = 200;

    private final Sinks.Many<Long> numbers = Sinks.many().unicast().onBackpressureBuffer();
    private TwoEngines engines;
    private int asked;

    static Stream<SimConfig> networks() {
      return Stream.of(SimConfig.rdma(), SimConfig.mapped(), SimConfig.tcp());
    }

    private StripingPolicy counting() {
      return new StripingPolicy() {
        @Override
        public int next(Paths live, int lengthBytes, Marker marker) {
          asked++;
          return 0;
        }
      };
    }

    private long nearBytes() {
      return engines.nearChannel.live().get(0).sentBytes();
    }

    private long farBytes() {
      return engines.farChannel.live().get(0).sentBytes();
    }

    @ParameterizedTest
    @MethodSource("networks")
    void messageCostsItsFrameOnly(SimConfig network) {
      engines = TwoEngines.connected(Setting.of(network).with(this::counting));
      Flow flow = engines.flow("numbers").send(numbers.asFlux()).receive();
      engines.awaitQuiet();
      long near = nearBytes();
      long far = farBytes();
      for (long n = 0; n < COUNT; n++) {
        long next = n;
        engines.near.run(() -> numbers.tryEmitNext(next).orThrow());
        engines.await(() -> flow.sink.acknowledged == next + 1);
      }

      assertEquals(
          COUNT * FrameHeader.slotBytes(FrameHeader.BYTES + Long.BYTES), nearBytes() - near);
      assertEquals(0, farBytes() - far, "acknowledgements are no frames");
      assertEquals(0, asked, "there is no choice");
    }

    @ParameterizedTest
    @MethodSource("networks")
    void largeMessagesAreNotCut(SimConfig network) {
      engines = TwoEngines.connected(Setting.of(network).with(this::counting));
      Flow flow = engines.flow("large").sized(400_000).send(20).receive();
      engines.await(flow::ended);

      flow.assertReceived(20);
      assertEquals(0, asked, "there is no choice");
      assertEquals(0, engines.nearChannel.counters().framesReplayed());
      assertEquals(0, engines.farChannel.counters().duplicatesDropped());
    }
  }
}
