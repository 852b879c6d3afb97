package io.railflux.engine;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.engine.base.EngineConfig;
import io.railflux.engine.send.ControlFrame;
import io.railflux.engine.send.SendWindow;
import io.railflux.fabric.sim.SimConfig;
import io.railflux.wire.FrameType;
import org.junit.jupiter.api.Test;

/**
 * Messages of a single stream may be sent together with its next messages. All other frames are sent without a wait.
 */
class BulkWritesTest {

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
