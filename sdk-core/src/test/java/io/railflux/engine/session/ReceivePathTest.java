package io.railflux.engine.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.engine.fakes.FakeRail;
import io.railflux.engine.fakes.FakeSession;
import io.railflux.engine.path.Subchannel;
import io.railflux.engine.send.ControlFrame;
import io.railflux.engine.stream.PeerFlux;
import io.railflux.fabric.sim.SimConfig;
import io.railflux.policy.ChannelKind;
import io.railflux.wire.AddressesFrame;
import io.railflux.wire.FrameFlags;
import io.railflux.wire.FrameType;
import io.railflux.wire.GoodbyeFrame;
import io.railflux.wire.OpenFrame;
import io.railflux.wire.ResumeInfo;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;

/** Validation, order and dispatch of the frames of a peer. */
class ReceivePathTest {

  private static final int UNKNOWN = FrameType.RETIRE + 20;
  private static final int ALL = 1_000;

  private final FakeSession session = FakeSession.over(SimConfig.rdma().capabilities());
  private final FakeRail rail = session.rails.get(0);
  private final List<String> events = new ArrayList<>();
  private final List<Long> numbers = new ArrayList<>();
  private final ReceivePath path = new ReceivePath(
      session,
      new Recorder(),
      session.streams,
      session.rendezvous,
      new MessageChannels(
          session,
          session.control,
          session.sendPath,
          new MessageChannels.Terms(false, ChannelKind.DEDICATED_RING),
          text -> {}),
      session.sendPath,
      session.received,
      session.holdBudget);

  private final class Recorder implements ReceivePath.SessionFrames {

    @Override
    public void onResume(ResumeInfo resume) {
      events.add("resume " + resume.subchannel());
    }

    @Override
    public void onRetire(int subchannelId) {
      events.add("retire " + subchannelId);
    }

    @Override
    public void onAddresses(AddressesFrame frame) {
      events.add("addresses");
    }

    @Override
    public void onClosing(String reason) {
      events.add("closing " + reason);
    }

    @Override
    public void onGoodbye() {
      events.add("goodbye");
    }

    @Override
    public void onAborted(String text) {
      events.add("aborted: " + text);
    }

    @Override
    public void onForged(Subchannel subchannel) {
      events.add("forged");
    }
  }

  private static byte[] body(int bytes, Consumer<ByteBuffer> encoder) {
    ByteBuffer body = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    encoder.accept(body);
    return body.array();
  }

  private void arrives(int type, int flags, long psn, long streamId, long seq, byte[] body) {
    rail.arrives(type, flags, psn, streamId, seq, body);
  }

  private int read() {
    return path.read(rail.subchannel, ALL);
  }

  private void open(long psn, long id) {
    OpenFrame open = new OpenFrame(OpenFrame.STREAM, "numbers", "numbers", "");
    arrives(FrameType.OPEN, 0, psn, id, 0, body(open.encodedBytes(), open::encode));
  }

  private void number(long psn, long seq) {
    arrives(FrameType.DATA, 0, psn, 1, seq, body(Long.BYTES, to -> to.putLong(seq)));
  }

  private void complete(long psn, long seq) {
    arrives(FrameType.COMPLETE, 0, psn, 1, seq, new byte[0]);
  }

  private void goodbye(int flags, long psn) {
    GoodbyeFrame goodbye = new GoodbyeFrame("bye");
    arrives(FrameType.GOODBYE, flags, psn, 0, 0, body(goodbye.encodedBytes(), goodbye::encode));
  }

  private Flux<Long> subscribed() {
    return Flux.from(new PeerFlux.Messages(session.streams, "numbers", "numbers"))
        .map(frame -> frame.body().getLong())
        .doOnNext(numbers::add);
  }

  @Test
  void deliversMessagesOfAStream() {
    subscribed().subscribe();
    open(0, 1);
    number(1, 0);
    number(2, 1);

    assertEquals(3, read());
    assertEquals(List.of(0L, 1L), numbers);
    assertEquals(3, session.received.expected());
    assertEquals(2, session.counters().messagesReceived());
  }

  @Test
  void dropsDuplicates() {
    subscribed().subscribe();
    open(0, 1);
    number(1, 0);
    number(1, 0);
    read();

    assertEquals(List.of(0L), numbers);
    assertEquals(1, session.counters().duplicatesDropped());
    assertEquals(List.of(), session.violations);
  }

  @Test
  void messagesOvertakeMissingFrames() {
    subscribed().subscribe();
    open(0, 1);
    number(2, 0);
    read();

    assertEquals(List.of(0L), numbers, "the stream orders its messages");
    assertEquals(1, session.received.expected());
  }

  @Test
  void controlFramesWaitForMissingFrames() {
    goodbye(0, 1);
    read();
    assertEquals(List.of(), events);
    assertTrue(session.holdBudget.takenBytes() > 0);
    arrives(UNKNOWN, FrameFlags.SKIPPABLE, 0, 0, 0, new byte[0]);
    read();

    assertEquals(List.of("goodbye"), events);
    assertEquals(0, session.holdBudget.takenBytes());
  }

  @Test
  void endOfAnUnknownStreamWaitsForTheMissingFrame() {
    boolean[] completed = new boolean[1];
    subscribed().doOnComplete(() -> completed[0] = true).subscribe();
    complete(1, 0);
    read();
    assertEquals(List.of(), session.violations, "the missing frame may be the announcement");
    open(0, 1);
    read();

    assertTrue(completed[0]);
  }

  @Test
  void endOfAKnownStreamOvertakesMissingFrames() {
    boolean[] completed = new boolean[1];
    subscribed().doOnComplete(() -> completed[0] = true).subscribe();
    open(0, 1);
    complete(2, 0);
    read();

    assertTrue(completed[0]);
  }

  @Test
  void resumeAndRetireOvertakeMissingFrames() {
    ResumeInfo resume = new ResumeInfo(0, 3, 0, new long[0]);
    arrives(FrameType.RESUME, 0, 1, 0, 0, body(resume.encodedBytes(), resume::encode));
    arrives(FrameType.RETIRE, FrameFlags.SKIPPABLE, 2, 0, 4, new byte[0]);
    read();

    assertEquals(List.of("resume 3", "retire 4"), events);
  }

  @Test
  void abortIsDistinguishedFromAGoodbye() {
    goodbye(FrameFlags.LAST, 0);
    read();

    assertEquals(List.of("aborted: bye"), events);
  }

  @Test
  void heartbeatIsNoticedOnce() {
    arrives(FrameType.HEARTBEAT, 0, 0, 0, 0, new byte[0]);
    read();

    assertTrue(path.takeHeartbeat());
    assertFalse(path.takeHeartbeat());
    assertEquals(0, session.received.expected(), "it has no sequence number");
  }

  @Test
  void numberBeyondTheWindowIsAViolation() {
    number(session.engine.config().limits().reorderWindow(), 0);
    read();

    assertTrue(session.violations.get(0).contains("beyond the window"));
  }

  @Test
  void malformedBodyIsAViolation() {
    arrives(FrameType.OPEN, 0, 0, 1, 0, new byte[1]);
    read();

    assertTrue(session.violations.get(0).startsWith("OPEN frame: "), session.violations::toString);
  }

  @Test
  void moreHeldControlFramesThanTheBudgetAreAViolation() {
    session.holdBudget.take((int) (4L * session.engine.config().limits().ringBytes()));
    goodbye(0, 1);
    read();

    assertTrue(session.violations.get(0).contains("bound of unacknowledged bytes"));
  }

  @Test
  void readsUpToTheLimit() {
    for (int i = 0; i < 5; i++) {
      arrives(UNKNOWN, FrameFlags.SKIPPABLE, i, 0, 0, new byte[0]);
    }

    assertEquals(2, path.read(rail.subchannel, 2));
    assertEquals(3, read());
  }

  @Test
  void wordsAcknowledgeFramesAndReturnCredit() {
    session.control.send(new ControlFrame(UNKNOWN, FrameFlags.SKIPPABLE, 0, 0));
    session.control.send(new ControlFrame(UNKNOWN, FrameFlags.SKIPPABLE, 0, 0));
    session.sent();
    session.engine.pass(10);
    rail.peerTells(64, 1);
    assertTrue(path.takePositions(rail.subchannel));

    assertEquals(1, session.window.inFlight());
    assertEquals(1, session.counters().framesAcknowledged());
    assertEquals(64, rail.subchannel.writer().ring().occupied());
    assertEquals(10, rail.subchannel.lastProgressNanos());
    assertFalse(path.takePositions(rail.subchannel));
  }

  @Test
  void outdatedPositionsHaveNoEffect() {
    session.control.send(new ControlFrame(UNKNOWN, FrameFlags.SKIPPABLE, 0, 0));
    session.sent();
    rail.peerTells(64, 1);
    path.takePositions(rail.subchannel);
    rail.peerTells(0, 0);
    assertFalse(path.takePositions(rail.subchannel));

    assertEquals(List.of(), session.violations);
    assertEquals(1, session.window.acknowledged());
  }

  @Test
  void positionsBeyondTheSentFramesAreViolations() {
    rail.peerTells(0, 1);
    path.takePositions(rail.subchannel);
    assertTrue(session.violations.get(0).contains("beyond what was sent"));
    rail.peerTells(64, 0);
    path.takePositions(rail.subchannel);

    assertTrue(session.violations.get(1).contains("beyond what was written"));
  }
}
