package io.railflux.engine.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.engine.DataFrames;
import io.railflux.engine.base.ProtocolViolation;
import io.railflux.engine.base.StreamFailure;
import io.railflux.engine.fakes.ArrivedFrames;
import io.railflux.engine.fakes.FakeSession;
import io.railflux.engine.fakes.SentFrame;
import io.railflux.engine.stream.InboundStream.State;
import io.railflux.exceptions.PeerClosedException;
import io.railflux.exceptions.RemoteStreamException;
import io.railflux.fabric.sim.SimConfig;
import io.railflux.wire.ErrorFrame;
import io.railflux.wire.FrameType;
import io.railflux.wire.OpenFrame;
import io.railflux.wire.ReceivedFrame;
import io.railflux.wire.RendezvousStart;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;

// More than 400 lines: a specification: one test method for each sentence.
/** The receiving half of a stream, and a parked stream: state transitions (D7). */
class InboundStreamTest {

  private static final String NAME = "numbers";
  private static final StreamFailure ENDED_BY_PEER =
      new StreamFailure(StreamFailure.Kind.CLOSED, "on purpose");

  private final FakeSession session = FakeSession.over(SimConfig.rdma().capabilities());

  /** Reads the stream with the number of {@link DataFrames}. */
  private final Reader reader = new Reader(Long.MAX_VALUE);

  private long lastId;
  private InboundStream in;

  private final class Reader extends BaseSubscriber<ReceivedFrame> {

    private final long request;
    private final List<Long> received = new ArrayList<>();
    private boolean completed;
    private Throwable error;
    private Runnable onReceived = () -> {};

    Reader(long request) {
      this.request = request;
    }

    void subscribe() {
      new PeerFlux.Messages(session.streams, NAME, Numbers.CODEC).subscribe(this);
    }

    boolean ended() {
      return completed || error != null;
    }

    @Override
    protected void hookOnSubscribe(Subscription subscription) {
      if (request > 0) {
        subscription.request(request);
      }
    }

    @Override
    protected void hookOnNext(ReceivedFrame frame) {
      received.add(frame.buffer().getLong(frame.bodyOffset()));
      onReceived.run();
    }

    @Override
    protected void hookOnComplete() {
      completed = true;
    }

    @Override
    protected void hookOnError(Throwable failure) {
      error = failure;
    }
  }

  private void announce() throws ProtocolViolation {
    announce(0);
  }

  private void announce(long firstSeq) throws ProtocolViolation {
    ReceivedFrame frame = ArrivedFrames.of(FrameType.OPEN, 0, ++lastId, firstSeq);
    session.streams.onOpen(frame, new OpenFrame(OpenFrame.STREAM, NAME, Numbers.CODEC, ""));
    List<InboundStream> open = session.streams.inbound();
    in = open.isEmpty() ? null : open.get(0);
  }

  private void flowing() throws ProtocolViolation {
    reader.subscribe();
    announce();
    assertEquals(State.FLOWING, in.state());
    session.work();
    session.sent();
  }

  private void arrives(long... numbers) throws ProtocolViolation {
    for (long number : numbers) {
      session.streams.onData(DataFrames.of(number));
    }
  }

  private void ends(long endSeq) throws ProtocolViolation {
    session.streams.onEnd(ArrivedFrames.of(FrameType.COMPLETE, 0, lastId, endSeq), null);
  }

  private void fails(long endSeq) throws ProtocolViolation {
    session.streams.onEnd(
        ArrivedFrames.of(FrameType.ERROR, 0, lastId, endSeq),
        ErrorFrame.of(new IllegalStateException("gave up")));
  }

  private List<String> sentTypes() {
    session.work();
    return session.sentTypes();
  }

  /** Subscribed here and not announced. */
  @Nested
  class AwaitingTheProducer {

    @Test
    void endsWithTheAnnouncementAndSendsTheDemand() throws ProtocolViolation {
      reader.subscribe();
      assertEquals(List.of(), session.streams.inbound(), "not announced yet");
      announce();

      assertEquals(State.FLOWING, in.state());
      session.work();
      SentFrame demand = session.sent().get(0);
      assertEquals("DEMAND", demand.name());
      assertTrue(demand.isUnbounded());
      arrives(0, 1, 2);
      ends(3);
      assertEquals(List.of(0L, 1L, 2L), reader.received);
      assertTrue(reader.completed);
    }

    @Test
    void endsWithASilentCancel() throws ProtocolViolation {
      reader.subscribe();
      reader.cancel();

      assertEquals(List.of(), sentTypes());
      Reader second = new Reader(1);
      second.subscribe();
      announce();
      arrives(0);
      assertEquals(List.of(0L), second.received);
    }

    @Test
    void endsWithThePeer() {
      reader.subscribe();

      session.streams.failAll(ENDED_BY_PEER);

      assertInstanceOf(PeerClosedException.class, reader.error);
    }
  }

  /** Announced without a subscriber here. */
  @Nested
  class Parked {

    @Test
    void blocksTheProducerUntilASubscription() throws ProtocolViolation {
      announce();
      assertNull(in);
      assertEquals(List.of(), sentTypes());

      reader.subscribe();

      assertEquals(List.of("DEMAND"), sentTypes());
      arrives(0);
      assertEquals(List.of(0L), reader.received);
    }

    @Test
    void reportsTheFailureOfTheProducer() throws ProtocolViolation {
      announce();
      fails(0);

      reader.subscribe();
      session.engine.runTasks();

      assertInstanceOf(RemoteStreamException.class, reader.error);
      assertTrue(reader.error.getMessage().contains("gave up"), reader.error.getMessage());
      Reader next = new Reader(1);
      next.subscribe();
      announce();
      assertEquals(State.FLOWING, in.state());
    }

    @Test
    void reportsTheCompletionOfTheProducer() throws ProtocolViolation {
      announce();
      ends(0);

      reader.subscribe();
      session.engine.runTasks();

      assertTrue(reader.completed);
    }

    @Test
    void isReplacedByTheNextOfItsNameAfterItsEnd() throws ProtocolViolation {
      announce();
      fails(0);
      announce();
      reader.subscribe();
      session.engine.runTasks();

      assertNull(reader.error);
      assertEquals(lastId, session.streams.inbound().get(0).id());
    }
  }

  @Nested
  class Flowing {

    @Test
    void endsWithTheEndAfterTheLastMessage() throws ProtocolViolation {
      flowing();
      ends(0);

      assertTrue(reader.completed);
      assertEquals(State.ENDED, in.state());
    }

    @Test
    void endsWithACancelThatIsSentToTheProducer() throws ProtocolViolation {
      flowing();
      arrives(0);
      reader.cancel();

      assertEquals(State.ENDED, in.state());
      SentFrame cancel = session.sent().get(0);
      assertEquals("CANCEL", cancel.name());
      assertEquals(1, cancel.streamSeq(), "messages before the cancel");
    }

    @Test
    void endsWithThePeer() throws ProtocolViolation {
      flowing();
      session.streams.failAll(ENDED_BY_PEER);

      assertEquals(State.ENDED, in.state());
      assertInstanceOf(PeerClosedException.class, reader.error);
    }

    @Test
    void ordersMessages() throws ProtocolViolation {
      flowing();
      arrives(2, 1);
      assertEquals(List.of(), reader.received);
      assertTrue(session.holdBudget.takenBytes() > 0);
      arrives(0);

      assertEquals(List.of(0L, 1L, 2L), reader.received);
      assertEquals(0, session.holdBudget.takenBytes());
    }

    @Test
    void failureOfTheSubscriberCancels() throws ProtocolViolation {
      flowing();
      reader.onReceived = () -> {
        throw new IllegalStateException("on purpose");
      };
      arrives(0);

      assertEquals(State.ENDED, in.state());
      assertTrue(session.sentTypes().contains("CANCEL"));
      assertEquals("on purpose", reader.error.getMessage());
    }

    @Test
    void dropsMessagesAfterACancel() throws ProtocolViolation {
      flowing();
      reader.onReceived = reader::cancel;
      session.streams.onData(DataFrames.batch(0, 0, 1, 2));
      arrives(3);

      assertEquals(List.of(0L), reader.received);
    }
  }

  /** The end arrived before some messages. */
  @Nested
  class Draining {

    private void draining() throws ProtocolViolation {
      flowing();
      arrives(0);
      ends(2);
      assertDraining();
    }

    private void assertDraining() {
      assertEquals(State.DRAINING, in.state());
      assertFalse(reader.ended(), "not ended yet");
    }

    @Test
    void lastsUntilTheLastMessageBeforeTheEnd() throws ProtocolViolation {
      draining();
      arrives(1);

      assertTrue(reader.completed);
      assertEquals(State.ENDED, in.state());
      assertEquals(List.of(0L, 1L), reader.received);
    }

    @Test
    void reportsAnErrorAfterTheLastMessage() throws ProtocolViolation {
      flowing();
      arrives(0);
      fails(2);
      assertDraining();
      arrives(1);

      assertEquals(State.ENDED, in.state());
      assertInstanceOf(RemoteStreamException.class, reader.error);
      assertEquals(List.of(0L, 1L), reader.received);
    }

    @Test
    void endsWithACancel() throws ProtocolViolation {
      draining();
      reader.cancel();

      assertEquals(State.ENDED, in.state());
      assertEquals(List.of("CANCEL"), session.sentTypes());
      assertEquals(List.of(0L), reader.received);
    }

    @Test
    void endsWithThePeerAndReleasesHeldFrames() throws ProtocolViolation {
      flowing();
      arrives(2);
      ends(3);
      assertDraining();
      session.streams.failAll(ENDED_BY_PEER);

      assertEquals(State.ENDED, in.state());
      assertInstanceOf(PeerClosedException.class, reader.error);
      assertEquals(0, session.holdBudget.takenBytes());
    }

    @Test
    void parksTheNextOfItsName() throws ProtocolViolation {
      draining();
      InboundStream first = in;
      announce();
      assertEquals(List.of(), sentTypes(), "neither rejected nor requested");
      session.streams.onData(ArrivedFrames.number(0, 1, 1, 1));

      assertEquals(State.ENDED, first.state());
      Reader next = new Reader(1);
      next.subscribe();
      assertEquals(lastId, session.streams.inbound().get(0).id());
    }
  }

  /** Violations by the peer. */
  @Nested
  class Violations {

    @Test
    void endBeforeReceivedMessages() throws ProtocolViolation {
      flowing();
      arrives(0);

      assertThrows(ProtocolViolation.class, () -> in.onEnd(0, null));
    }

    @Test
    void secondEnd() throws ProtocolViolation {
      flowing();
      in.onEnd(2, null);

      assertThrows(ProtocolViolation.class, () -> in.onEnd(3, null));
    }

    @Test
    void messageAfterTheEnd() throws ProtocolViolation {
      flowing();
      in.onEnd(2, null);

      in.onData(DataFrames.of(1));
      assertThrows(ProtocolViolation.class, () -> in.onData(DataFrames.of(2)));
    }

    @Test
    void repeatedMessage() throws ProtocolViolation {
      flowing();
      arrives(0);

      assertThrows(ProtocolViolation.class, () -> arrives(0));
    }

    @Test
    void moreThanTheDemand() throws ProtocolViolation {
      Reader modest = new Reader(2);
      modest.subscribe();
      announce();
      arrives(0);

      assertThrows(ProtocolViolation.class, () -> arrives(2));
      assertThrows(
          ProtocolViolation.class, () -> session.streams.onData(DataFrames.batch(1, 1, 2)));
    }

    @Test
    void repeatedLargeMessage() throws ProtocolViolation {
      flowing();
      large(3, 1);

      assertThrows(ProtocolViolation.class, () -> large(3, 2));
    }

    private void large(long seq, long transfer) throws ProtocolViolation {
      session
          .rendezvous
          .receives()
          .onStart(
              ArrivedFrames.of(FrameType.RNDZ_START, 0, lastId, seq),
              RendezvousStart.notReadable(transfer, 1_000, RendezvousStart.MESSAGE, List.of()),
              session.streams);
    }

    @Test
    void moreHeldBytesThanTheBudget() throws ProtocolViolation {
      flowing();
      session.holdBudget.take((int) (4L * session.engine.config().limits().ringBytes()));

      assertThrows(ProtocolViolation.class, () -> arrives(1));
    }
  }

  /** In the middle of a batch, and as its last message. */
  @ParameterizedTest
  @ValueSource(longs = {6, 7})
  void deliversNothingAfterTheMessageThatEndsTheSession(long last) throws ProtocolViolation {
    reader.subscribe();
    announce(5);
    reader.onReceived = () -> session.closed = reader.received.contains(last);
    session.streams.onData(DataFrames.of(8));
    session.streams.onData(DataFrames.batch(5, 5, 6, 7));

    assertEquals(LongStream.rangeClosed(5, last).boxed().toList(), reader.received);
  }

  @Test
  void waitingDemandIsSentOnceAndInTotal() throws ProtocolViolation {
    Reader modest = new Reader(1);
    modest.subscribe();
    announce();
    session.work();
    session.sent();
    for (int i = 0; i < 1_000; i++) {
      modest.request(1);
    }
    session.work();

    List<SentFrame> sent = session.sent();
    assertEquals(1, sent.size());
    assertEquals(1_001, sent.get(0).streamSeq());
  }

  /** Requests of other threads wait for the engine. */
  @Test
  void takesRequestsOfAnotherThreadTogether() throws ProtocolViolation {
    Reader modest = new Reader(0);
    modest.subscribe();
    announce();
    session.engine.inEngine = false;
    modest.request(3);
    modest.request(4);
    session.engine.inEngine = true;
    assertEquals(0, in.openDemand());
    session.engine.runTasks();

    assertEquals(7, in.openDemand());
  }
}
