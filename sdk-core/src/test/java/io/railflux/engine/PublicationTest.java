package io.railflux.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.engine.base.EngineConfig;
import io.railflux.engine.base.Occupancy;
import io.railflux.engine.ring.AckPolicy;
import io.railflux.engine.send.ControlFrame;
import io.railflux.engine.send.SendWindow;
import io.railflux.engine.session.VirtualChannel;
import io.railflux.fabric.sim.LinkModel;
import io.railflux.fabric.sim.SimConfig;
import io.railflux.wire.FrameType;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Sinks;

/** Publication of sent frames, and the checks of an engine before it sleeps. */
class PublicationTest {

  /**
   * Messages of a single stream may be sent together with its next messages. All other frames are sent without a wait.
   */
  @Nested
  class BulkWrites {

    private final TwoEngines engines = TwoEngines.connected(SimConfig.rdma());

    private boolean moreFollows() {
      return engines.nearChannel.moreFollows();
    }

    private Flow bulk(String name) {
      Flow flow = engines.flow(name).sized(512).send(1_000_000).receive();
      engines.await(() -> flow.received.size() > 1_000);
      return flow;
    }

    @Test
    void continuingStreamIsMarked() {
      bulk("bulk");
      engines.await(this::moreFollows);
    }

    @Test
    void messagesOfAnotherStreamDoNotWait() {
      bulk("bulk");
      bulk("other");
      long end = engines.network.now() + TwoEngines.MILLIS;
      engines.await(() -> {
        assertFalse(moreFollows());
        return engines.network.now() > end;
      });
    }

    @Test
    void controlFramesDoNotWait() {
      bulk("bulk");
      SendWindow window = engines.nearChannel.sendPath().window();
      for (int i = 0; i < 10; i++) {
        engines.await(this::moreFollows);
        long[] sent = new long[1];
        engines.near.run(() -> {
          engines.nearChannel.control().send(new ControlFrame(FrameType.GOODBYE + 100, 0x80, 0, 0));
          sent[0] = window.next();
        });
        engines.await(() -> sent[0] > 0);
        assertFalse(moreFollows());
      }
    }

    /** The next turns of a peer come after those of the others. */
    @Test
    void messagesToOneOfManyPeersDoNotWaitForMore() {
      // The network is never the bottleneck.
      TwoEngines manyPeers = TwoEngines.connected(
          TwoEngines.Setting.of(SimConfig.rdma().withLink(new LinkModel(100, 100, 0)))
              .with(EngineConfig.Limits.DEFAULT.withRingBytes(4 << 20).withReorderWindow(1 << 16)));
      for (int peer = 0; peer < 8; peer++) {
        if (peer > 0) {
          manyPeers.connectAgain();
        }
        Flow flow = manyPeers.flow("bulk " + peer).sized(1_024).send(1_000_000).receive();
        manyPeers.await(() -> !flow.received.isEmpty());
      }
      Engine sender = manyPeers.near.engine();
      long end = sender.cycles() + 40;
      manyPeers.await(() -> {
        sender.channels().forEach(channel -> assertFalse(channel.moreFollows()));
        return sender.cycles() > end;
      });
    }

    /** The message needs several turns, so a posted request would wait for nothing. */
    @Test
    void messageOfTwoTurnsDoesNotWait() {
      EngineConfig.Large large = EngineConfig.Large.DEFAULT.withEagerLimitBytes(256 << 10);
      TwoEngines atOnce =
          TwoEngines.connected(TwoEngines.Setting.of(SimConfig.rdma()).with(large));
      Flow flow = atOnce.flow("large").sized(256 << 10).send(1_000_000).receive();
      atOnce.await(() -> {
        assertFalse(atOnce.nearChannel.moreFollows());
        return flow.received.size() > 100;
      });
    }

    @Test
    void messageWithoutSpaceDoesNotWait() {
      bulk("bulk");
      engines.far.freeze();
      engines.pass(20 * TwoEngines.MILLIS);
      assertFalse(moreFollows());
    }

    /** In any cycle in which its last message was posted. */
    @Test
    void endOfAStreamDoesNotWait() {
      Flow flow = engines.flow("short").sized(512).send(10_000).receive();
      boolean[] held = new boolean[1];
      engines.await(() -> {
        held[0] |= moreFollows();
        assertFalse(flow.out != null && flow.out.messages() == 10_000 && moreFollows());
        return flow.ended();
      });
      assertTrue(held[0]);
    }

    @Test
    void messagesOverSeveralPathsDoNotWait() {
      TwoEngines twoRails = TwoEngines.connected(SimConfig.rdma().withRails(2));
      Flow flow = twoRails.flow("bulk").sized(512).send(1_000_000).receive();
      boolean[] held = new boolean[1];
      twoRails.await(() -> {
        held[0] |= twoRails.nearChannel.moreFollows();
        return flow.received.size() > 20_000;
      });
      assertFalse(held[0]);
      assertTrue(twoRails.nearChannel.live().size() == 2);
    }
  }

  /** Read positions of a ring are sent in other frames, if possible, instead of separate requests. */
  @Nested
  class RidingPositions {

    private static final int ROUNDS = 3;

    private final TwoEngines engines = TwoEngines.connected(SimConfig.tcp());
    private final Sinks.Many<Long> questions = Sinks.many().unicast().onBackpressureBuffer();
    private final Sinks.Many<Long> answers = Sinks.many().unicast().onBackpressureBuffer();

    /** For each answer, whether the requester still waited for the acknowledgement of its question. */
    private final List<Boolean> owed = new ArrayList<>();

    @ParameterizedTest
    @ValueSource(ints = {64, AckPolicy.LITTLE_BYTES, 2 * AckPolicy.LITTLE_BYTES, 64 << 10})
    void answerAcknowledgesItsQuestion(int bytes) {
      Flow asked = engines.flow("questions").sized(bytes);
      asked.onReceived = answers::tryEmitNext;
      asked.send(questions.asFlux()).receive();
      Flow answered = engines.flow("answers").back().sized(64);
      answered.onReceived = number -> owed.add(engines.nearChannel.live().get(0).isOwedCredit());
      answered.send(answers.asFlux()).receive();
      engines.pass(TwoEngines.MILLIS);
      for (long round = 0; round < ROUNDS; round++) {
        long number = round;
        engines.near.run(() -> questions.tryEmitNext(number));
        engines.await(() -> answered.received.size() > number);
        engines.pass(TwoEngines.MILLIS);
      }
      assertEquals(List.of(false, false, false), owed);
    }
  }

  /** A glance finds all events that are visible in memory, and does not claim to find others. */
  @Nested
  class Glances {

    private final Sinks.Many<Long> numbers = Sinks.many().unicast().onBackpressureBuffer();
    private final TaskQueue tasks = new TaskQueue(new Occupancy());
    private TwoEngines engines;

    private void connect(SimConfig network) {
      engines = TwoEngines.connected(network);
      engines.flow("numbers").send(numbers.asFlux()).receive();
      engines.awaitQuiet();
    }

    private Glance at(VirtualChannel channel) {
      return new Glance(tasks, List.of(channel));
    }

    private void emitOne() {
      engines.near.run(() -> numbers.tryEmitNext(1L).orThrow());
      engines.pass(TwoEngines.MILLIS);
    }

    @Test
    void findsNothingNewAfterACycle() {
      connect(SimConfig.mapped());
      emitOne();

      assertFalse(at(engines.nearChannel).mayHaveArrivals());
      assertFalse(at(engines.farChannel).mayHaveArrivals());
    }

    @Test
    void findsAMessage() {
      connect(SimConfig.mapped());
      engines.far.freeze();
      emitOne();

      assertTrue(at(engines.farChannel).mayHaveArrivals());
    }

    @Test
    void findsCreditAndAcknowledgement() {
      connect(SimConfig.mapped());
      engines.far.freeze();
      emitOne();
      engines.near.freeze();
      engines.far.thaw();
      engines.pass(TwoEngines.MILLIS);

      assertTrue(at(engines.nearChannel).mayHaveArrivals());
    }

    @Test
    void seesATask() {
      connect(SimConfig.mapped());
      tasks.add(() -> {});

      assertTrue(at(engines.farChannel).mayHaveArrivals());
    }

    private static boolean isAllThatIsLeft(DrivenEngine side) {
      return side.engine().awaitsPeers();
    }

    @Test
    void isSufficientAfterEverythingIsSent() {
      connect(SimConfig.mapped());
      emitOne();

      assertTrue(isAllThatIsLeft(engines.near));
      assertTrue(isAllThatIsLeft(engines.far));
    }

    /** Even if the message makes the subscriber request the next one. */
    @Test
    void isSufficientImmediatelyAfterAMessageWasRead() {
      engines = TwoEngines.connected(SimConfig.mapped());
      Flow flow = engines.flow("numbers").send(numbers.asFlux()).receive(1);
      flow.onReceived = number -> flow.subscription.request(1);
      engines.awaitQuiet();
      engines.near.run(() -> numbers.tryEmitNext(1L).orThrow());
      engines.await(() -> flow.received.size() == 1);

      assertTrue(isAllThatIsLeft(engines.far));
    }

    @Test
    void doesNotFindAStreamThatWaitsForItsNextTurn() {
      connect(SimConfig.mapped());
      Flow flow = engines.flow("longer").sized(1_000).send(1_000).receive();

      engines.await(() -> !isAllThatIsLeft(engines.near));
      engines.await(flow::ended);
      engines.awaitQuiet();
      assertTrue(isAllThatIsLeft(engines.near));
    }

    @Test
    void doesNotFindTheNextStepOfALargeMessage() {
      connect(SimConfig.mapped());
      Flow flow = engines.flow("large").sized(6 << 20).send(1).receive();

      engines.await(() -> engines.farChannel.largeMessages() > 0 && !isAllThatIsLeft(engines.far));
      engines.await(flow::ended);
    }

    @Test
    void doesNotFindAnUnannouncedFrameOfATimer() {
      connect(SimConfig.mapped());
      Engine near = engines.near.engine();
      List<Boolean> left = new ArrayList<>();
      Runnable emit = () -> {
        left.add(near.awaitsPeers());
        numbers.tryEmitNext(1L).orThrow();
        left.add(near.awaitsPeers());
      };
      engines.near.run(() -> near.timers().at(near.nowNanos() + TwoEngines.MILLIS, emit));
      engines.pass(2 * TwoEngines.MILLIS);

      assertEquals(List.of(true, false), left);
      assertTrue(near.awaitsPeers());
    }

    @Test
    void isInsufficientIfAFabricMustBePolled() {
      connect(SimConfig.tcp());

      assertTrue(at(engines.farChannel).mayHaveArrivals());
    }
  }
}
