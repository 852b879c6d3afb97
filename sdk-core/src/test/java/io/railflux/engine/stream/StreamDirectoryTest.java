package io.railflux.engine.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.engine.RecordingSink;
import io.railflux.engine.base.ProtocolViolation;
import io.railflux.engine.fakes.ArrivedFrames;
import io.railflux.engine.fakes.FakeSession;
import io.railflux.fabric.sim.SimConfig;
import io.railflux.metrics.StreamStatus;
import io.railflux.metrics.StreamStatus.Kind;
import io.railflux.metrics.StreamStatus.State;
import io.railflux.wire.FrameFlags;
import io.railflux.wire.FrameType;
import io.railflux.wire.OpenFrame;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;

/** What the streams of a peer wait for, as any thread reads it. */
class StreamDirectoryTest {

  private static final long SECOND = 1_000_000_000L;

  private final FakeSession session = FakeSession.over(SimConfig.rdma().capabilities());
  private final StreamDirectory directory = session.streams.directory();
  private long lastId;

  private long announce(String name) throws ProtocolViolation {
    session.streams.onOpen(
        ArrivedFrames.of(FrameType.OPEN, 0, ++lastId, 0),
        new OpenFrame(OpenFrame.STREAM, name, Numbers.CODEC, ""));
    return lastId;
  }

  private BaseSubscriber<Object> subscribe(String name, long demand) {
    BaseSubscriber<Object> subscriber = new BaseSubscriber<>() {
      @Override
      protected void hookOnSubscribe(Subscription subscription) {
        if (demand > 0) {
          subscription.request(demand);
        }
      }
    };
    new PeerFlux.Messages(session.streams, name, Numbers.CODEC).subscribe(subscriber);
    return subscriber;
  }

  private OutboundStream send(String name, Flux<Long> source) {
    return Numbers.open(session, name, source, new RecordingSink());
  }

  private StreamStatus only() {
    List<StreamStatus> all = directory.statuses(session.engine.nowNanos(), true);
    assertEquals(1, all.size(), all.toString());
    return all.get(0);
  }

  private void assertWaits(State state, String waitsFor) {
    StreamStatus status = only();
    assertEquals(state, status.state());
    assertTrue(status.waitsFor().startsWith(waitsFor), status.toString());
  }

  @Test
  void aMisspeltNameIsNamedAtBothSides() throws ProtocolViolation {
    subscribe("tirades", 1);
    announce("trades");
    session.engine.pass(12 * SECOND);

    assertEquals(
        List.of(
            new StreamStatus(
                "tirades",
                Kind.RECEIVED,
                State.OPENING,
                0,
                1,
                Duration.ofSeconds(12),
                "the peer to send it; it offers 'trades'"),
            new StreamStatus(
                "trades",
                Kind.OFFERED,
                State.OPENING,
                0,
                0,
                Duration.ofSeconds(12),
                "a subscriber at this node; this node awaits 'tirades'")),
        directory.statuses(session.engine.nowNanos(), true));
  }

  @Test
  void aStreamWithoutASubscriberNamesWhatThePeerAwaits() {
    send("trades", Flux.never());
    directory.peerAwaits("tirades", true);
    session.engine.pass(12 * SECOND);

    assertEquals(
        "'trades' sent, opening: messages 0, demand 0, idle for 12.0 s; waits for a subscriber at the peer;"
            + " it awaits 'tirades'",
        only().toString());
  }

  @Test
  void aSentStreamWaitsForItsSourceForDemandAndForAcknowledgements() {
    OutboundStream out = send("trades", Flux.just(1L).concatWith(Flux.never()));
    out.demand(2, false);
    session.work();
    assertWaits(State.FLOWING, "its source");
    assertEquals(1, only().messages());
    assertEquals(1, only().openDemand());

    OutboundStream ended = send("ended", Flux.range(1, 3).map(Long::valueOf));
    out.fail(new IllegalStateException("over"));
    ended.demand(2, false);
    session.work();
    assertWaits(State.FLOWING, "demand of the subscriber at the peer");
    ended.demand(3, false);
    session.work();
    assertWaits(State.ENDING, "acknowledgements");
  }

  @Test
  void aSentStreamWaitsForCredit() {
    send("trades", Flux.range(1, 1_000_000).map(Long::valueOf)).demand(0, true);
    for (int i = 0; i < 100_000 && !only().waitsFor().startsWith("credit"); i++) {
      session.work();
    }
    assertWaits(State.FLOWING, "credit: the peer has not consumed");
  }

  @Test
  void aReceivedStreamWaitsForThePeerOrForDemand() throws ProtocolViolation {
    subscribe("trades", 1);
    long id = announce("trades");
    assertWaits(State.FLOWING, "messages of the peer");
    session.engine.pass(SECOND);
    session.streams.onData(ArrivedFrames.number(0, id, 0, 1));
    session.streams.countReceived();
    session.engine.pass(2 * SECOND);

    assertWaits(State.FLOWING, "demand of its subscriber");
    assertEquals(Duration.ofSeconds(2), only().idle());
    assertEquals(1, only().messages());
  }

  @Test
  void requestsOfARouteAreOneEntryWhileOneIsOpen() throws ProtocolViolation {
    for (int i = 0; i < 2; i++) {
      new PeerFlux.Replies<>(
              session.streams,
              new Exchanges.RouteKey("oracle", "number", "number"),
              7L,
              Numbers.outgoing(number -> Long.BYTES))
          .subscribe();
    }
    session.engine.pass(3 * SECOND);
    assertEquals(
        "'oracle' requested, flowing: open requests 2, replies 0, idle for 3.0 s; waits for replies of the"
            + " peer's handler",
        only().toString());

    for (long id : session.sent().stream()
        .filter(frame -> frame.name().equals("REQUEST"))
        .map(frame -> frame.streamId())
        .toList()) {
      session.streams.onData(ArrivedFrames.number(FrameFlags.REPLY | FrameFlags.LAST, id, 0, 42));
    }
    assertEquals(List.of(), directory.statuses(session.engine.nowNanos(), true));
  }

  @Test
  void withoutARailEverythingWaitsForOne() throws ProtocolViolation {
    subscribe("received", 1);
    announce("received");
    send("sent", Flux.never());

    for (StreamStatus status : directory.statuses(0, false)) {
      assertEquals("a rail: none is connected", status.waitsFor());
    }
  }

  @Test
  void endedStreamsAreGone() throws ProtocolViolation {
    BaseSubscriber<Object> received = subscribe("received", 1);
    announce("received");
    OutboundStream sent = send("sent", Flux.never());
    received.cancel();
    sent.fail(new IllegalStateException("over"));
    assertEquals(List.of(), directory.statuses(0, true));
  }

  @Test
  void anExplanationListsStreamsThatHaveNotBegunAndOnlySome() {
    for (int i = 0; i < 25; i++) {
      OutboundStream flowing = send("flowing" + i, Flux.never());
      flowing.demand(1, false);
    }
    send("opening", Flux.never());
    String explained = directory.explain(0, true);
    assertTrue(explained.startsWith("\n  'opening' sent, opening"), explained);
    assertTrue(explained.endsWith("\n  and 6 further streams and routes"), explained);
  }

  @Test
  void manyNamesOfThePeerAreCutShort() {
    for (int i = 1_000; i < 2_000; i++) {
      directory.peerAwaits("s" + i, true);
    }
    String explained = directory.explain(0, true);
    assertTrue(
        explained.contains("awaited by the peer, and not sent: 's1000', 's1001'"), explained);
    assertTrue(explained.contains(" and 236 more"), explained);
    assertFalse(explained.contains("'s1999'"), explained);
  }
}
