package io.railflux.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.engine.base.EngineConfig;
import io.railflux.engine.base.StreamFailure;
import io.railflux.engine.rendezvous.RendezvousSends;
import io.railflux.engine.send.ControlFrame;
import io.railflux.fabric.sim.SimConfig;
import io.railflux.policy.Rendezvous;
import io.railflux.wire.FrameType;
import io.railflux.wire.Region;
import io.railflux.wire.RendezvousDone;
import io.railflux.wire.RendezvousFin;
import io.railflux.wire.RendezvousReply;
import io.railflux.wire.RendezvousStart;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Invalid messages of a peer about large messages, and behavior without memory. */
class RendezvousLimitsTest {

  private static final int LIMIT = 1 << 20;

  private TwoEngines engines;
  private StreamFailure failure;

  private void connect(SimConfig network, Rendezvous mode) {
    EngineConfig.Limits limits = EngineConfig.Limits.DEFAULT.withMaxMessageBytes(LIMIT);
    engines = TwoEngines.connected(TwoEngines.Setting.of(network)
        .with(limits)
        .with(EngineConfig.Large.DEFAULT.withMode(mode)));
    engines.far.run(() -> engines.farChannel.onEnd(cause -> failure = cause));
  }

  /** Opens a stream whose far side has requested messages. */
  private Flow stream() {
    Flow flow = engines.flow("s").send(reactor.core.publisher.Flux.never()).receive();
    engines.await(() -> flow.out != null && flow.out.openDemand() > 0);
    return flow;
  }

  private void say(int type, long streamId, long seq, int bytes, Consumer<ByteBuffer> body) {
    engines.near.run(() -> engines
        .nearChannel
        .control()
        .send(new ControlFrame(type, 0, streamId, seq).body(bytes, body)));
  }

  private void start(Flow flow, long seq, long transfer, int length) {
    RendezvousStart start =
        RendezvousStart.notReadable(transfer, length, RendezvousStart.MESSAGE, List.of());
    say(FrameType.RNDZ_START, flow.out.id, seq, start.encodedBytes(), start::encode);
  }

  private void assertViolation(String text) {
    engines.await(() -> failure != null);
    assertEquals(StreamFailure.Kind.VIOLATION, failure.kind());
    assertTrue(failure.text().contains(text), failure.text());
    engines.pass(TwoEngines.MILLIS);
    assertEquals(0, engines.far.engine().landingMemory().outstandingBytes());
  }

  @Test
  void messageBeyondTheLimitIsAViolationBeforeAllocation() {
    connect(SimConfig.rdma(), Rendezvous.AUTO);
    start(stream(), 0, 1, LIMIT + 1);

    assertViolation("at most " + LIMIT);
  }

  @Test
  void reusedNumberIsAViolation() {
    connect(SimConfig.rdma(), Rendezvous.AUTO);
    Flow flow = stream();
    start(flow, 0, 5, 1000);
    start(flow, 1, 5, 1000);

    assertViolation("transfer 5, which was there before");
  }

  @Test
  void repeatedMessageOfAStreamIsAViolation() {
    connect(SimConfig.rdma(), Rendezvous.AUTO);
    Flow flow = stream();
    start(flow, 3, 1, 1000);
    start(flow, 3, 2, 1000);

    assertViolation("came twice");
  }

  @Test
  void moreTransfersThanAgreedAreAViolation() {
    connect(SimConfig.rdma(), Rendezvous.AUTO);
    Flow flow = stream();
    for (int i = 0; i <= RendezvousSends.MOST; i++) {
      start(flow, i, i + 1, 1000);
    }

    assertViolation("large messages");
  }

  @Test
  void finWithoutAGrantIsAViolation() {
    connect(SimConfig.rdma(), Rendezvous.AUTO);
    start(stream(), 0, 1, 1000);
    say(FrameType.RNDZ_FIN, 0, 1, RendezvousFin.BYTES, new RendezvousFin(7)::encode);

    assertViolation("grant 7, which is not out");
  }

  @Test
  void finWithoutATransferIsAViolation() {
    connect(SimConfig.rdma(), Rendezvous.AUTO);
    say(FrameType.RNDZ_FIN, 0, 9, RendezvousFin.BYTES, new RendezvousFin(0)::encode);

    assertViolation("transfer 9, which never began");
  }

  @Test
  void replyWithoutATransferIsAViolation() {
    connect(SimConfig.rdma(), Rendezvous.AUTO);
    RendezvousReply reply = new RendezvousReply(0, 0, new Region(1, 64, 0), 0, 64);
    say(FrameType.RNDZ_REPLY, 0, 1, RendezvousReply.BYTES, reply::encode);

    assertViolation("RNDZ_REPLY for transfer 1, which never began");
  }

  @Test
  void doneWithoutATransferIsAViolation() {
    connect(SimConfig.rdma(), Rendezvous.AUTO);
    RendezvousDone done = RendezvousDone.of(RendezvousDone.ARRIVED);
    say(FrameType.RNDZ_DONE, 0, 1, RendezvousDone.BYTES, done::encode);

    assertViolation("RNDZ_DONE for transfer 1, which never began");
  }

  private void sendAll(Runnable meanwhile) {
    Flow flow = engines.flow("large").sized(500_000).send(20).receive();
    meanwhile.run();
    engines.await(flow::ended);
    flow.assertReceived(20);
  }

  /** Ring and control words, allocated by the host. */
  private static final long TAKEN_BYTES = (2 << 20) + 128;

  @Test
  @Tag("RV1")
  void scarceMemoryReducesTheWindow() {
    connect(SimConfig.mapped(), Rendezvous.WRITE);
    engines.far.host().memoryLimit(TAKEN_BYTES + 100_000);

    sendAll(() -> {});
  }

  @Test
  @Tag("RV1")
  void largeMessagesWaitForMemory() {
    connect(SimConfig.mapped(), Rendezvous.WRITE);
    engines.far.host().memoryLimit(TAKEN_BYTES);

    sendAll(() -> {
      engines.pass(100 * TwoEngines.MILLIS);
      assertEquals(0, engines.farChannel.counters().messagesReceived());
      Flow small = engines.flow("small").send(10).receive();
      engines.await(small::ended);
      engines.far.host().memoryLimit(Long.MAX_VALUE);
    });
  }
}
