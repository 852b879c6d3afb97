package io.railflux;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.railflux.exceptions.ProtocolViolationException;
import io.railflux.message.Codecs;
import io.railflux.metrics.RailfluxMeter;
import io.railflux.wire.FrameFlags;
import io.railflux.wire.FrameHeader;
import io.railflux.wire.FrameType;
import io.railflux.wire.OpenFrame;
import io.railflux.wire.RejectFrame;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.Disposable;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

// More than 400 lines: a specification with one test method for each statement.
/**
 * Invalid writes of a connected peer end its own session only. On sealed sessions the peer seals its writes. Invalid
 * bytes without a valid seal cannot be attributed to the peer and end the connection only.
 */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
@ParameterizedClass(name = "{0}")
@EnumSource(value = Ground.class, mode = EnumSource.Mode.EXCLUDE, names = "TCP_STRANGER")
class HostilePeerTest {

  private static final Route<Integer, Integer> NEVER =
      new Route<>("never", Codecs.int32(), Codecs.int32());

  @RegisterExtension
  final LeakCheck leaks = new LeakCheck();

  @RegisterExtension
  final Nodes nodes = new Nodes(leaks);

  @Parameter
  Ground ground;

  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private Node server;
  private String address;
  private RawPeer raw;
  private Peer hostile;
  private Disposable honest;
  private final AtomicLong honestReceived = new AtomicLong();

  @BeforeEach
  void connect() throws Exception {
    server = nodes.start(
        "server",
        config -> ground
            .configure(config, leaks.directory())
            .meterRegistry(meters)
            .detectWithin(Nodes.PATIENCE)
            .partitionTimeout(Nodes.PATIENCE)
            .maxStreams(16)
            .maxExchanges(16));
    address = server.bind(ground.newAddress(nodes)).block(Nodes.PATIENCE);
    server.respond(NEVER, n -> Mono.never());
    Node client = nodes.start("honest", config -> ground.configure(config, leaks.directory()));
    Nodes.Pair pair = nodes.join(server, client, address);
    Flux<Integer> endless = Flux.generate(sink -> sink.next(1));
    honest = pair.toServer().send("n", Codecs.int32(), endless).subscribe(x -> {}, e -> {});
    pair.toClient()
        .receive("n", Codecs.int32())
        .limitRate(64)
        .subscribe(n -> honestReceived.incrementAndGet(), e -> {});
    comeIn();
  }

  private void comeIn() throws Exception {
    raw = RawPeer.accepted(ground, leaks.directory(), address);
    hostile =
        server.peers().filter(peer -> peer.name().equals(RawPeer.NAME)).blockFirst(Nodes.PATIENCE);
  }

  @AfterEach
  void othersGoOn() {
    long seen = honestReceived.get();
    await().until(() -> honestReceived.get() > seen + 1000);
    honest.dispose();
    raw.close();
  }

  interface Crime {
    void commit(RawPeer peer);
  }

  private static Arguments crime(String name, Crime crime) {
    return Arguments.of(name, crime);
  }

  private static long word(int length, int type, int flags, int headerBytes) {
    return FrameHeader.word(length, type, flags, headerBytes);
  }

  static Stream<Arguments> framesAgainstTheFormat() {
    return Stream.of(
        crime("garbage", p -> p.publish(0x5555_5555_5555_5555L)),
        crime("all ones", p -> p.publish(-1)),
        crime("longer than the ring", p -> p.publish(word(1 << 30, FrameType.DATA, 0, 32))),
        crime("negative length", p -> p.publish(word(-64, FrameType.DATA, 0, 32))),
        crime("zero length", p -> p.publish(word(0, FrameType.DATA, 0, 32))),
        crime("shorter than its header", p -> p.publish(word(8, FrameType.DATA, 0, 32))),
        crime("header beyond the frame", p -> p.publish(word(64, FrameType.DATA, 0, 128))),
        crime("header too small", p -> p.publish(word(64, FrameType.DATA, 0, 8))),
        crime("unaligned header length", p -> p.publish(word(64, FrameType.DATA, 0, 33))),
        crime(
            "extensions beyond the header",
            p -> p.publish(word(64, FrameType.DATA, FrameFlags.PIGGYBACK, 32))),
        crime("an empty batch", p -> p.publish(word(64, FrameType.BATCH, 0, 32))),
        crime(
            "a batch with a flag of single messages",
            p -> p.publish(word(64, FrameType.BATCH, FrameFlags.LAST, 32))),
        crime("unknown type", p -> p.publish(word(64, 200, 0, 32))),
        crime("type zero", p -> p.publish(word(64, 0, 0, 32))),
        crime("padding beyond the end", p -> p.publish(word(1 << 25, FrameType.PADDING, 0, 32))));
  }

  static Stream<Arguments> framesAgainstTheProtocol() {
    return Stream.of(
        crime("data of an unknown stream", p -> p.frame(FrameType.DATA, 99, 0)),
        crime(
            "a reply without a request",
            p -> p.frame(FrameType.DATA, FrameFlags.REPLY, 99, 0, b -> {})),
        crime(
            "demand for an unknown stream",
            p -> p.frame(FrameType.DEMAND, FrameFlags.REPLY, 99, 1, b -> {})),
        crime(
            "cancel of an unknown stream",
            p -> p.frame(FrameType.CANCEL, FrameFlags.REPLY, 99, 1, b -> {})),
        crime("end of an unknown stream", p -> p.frame(FrameType.COMPLETE, 99, 0)),
        crime(
            "rejection of an unknown stream",
            p ->
                p.frame(FrameType.REJECT, FrameFlags.REPLY, 99, 0, new RejectFrame(1, "")::encode)),
        crime("open without a body", p -> p.frame(FrameType.OPEN, 1, 0)),
        crime("open of another kind", p -> p.frame(FrameType.OPEN, 0, 1, 0, b -> b.put((byte) 9))),
        crime("error without a body", p -> p.frame(FrameType.ERROR, 1, 0)),
        crime("goodbye without a body", p -> p.frame(FrameType.GOODBYE, 0, 0)),
        crime("resume without a body", p -> p.frame(FrameType.RESUME, 0, 0)),
        crime("the same stream twice", p -> {
          open(p, 1, "x");
          open(p, 1, "y");
        }),
        crime("a stream number that goes back", p -> {
          open(p, 5, "x");
          open(p, 4, "y");
        }),
        crime("beyond the window", p -> {
          p.skipPsns(1 << 20);
          open(p, 1, "x");
        }),
        crime("credit beyond written bytes", p -> p.report(1 << 20, 0)),
        crime("acknowledgement beyond sent frames", p -> p.report(0, 5000)),
        crime("requests beyond the limit", p -> {
          OpenFrame route = new OpenFrame(OpenFrame.ROUTE, "never", "int32", "int32");
          p.frame(FrameType.OPEN, 0, 1, 0, route::encode);
          for (int i = 0; i < 40; i++) {
            p.frame(FrameType.REQUEST, 0, 2 + i, 1, b -> b.putLong(1).putInt(7));
          }
        }));
  }

  private static void open(RawPeer peer, long id, String name) {
    OpenFrame open = new OpenFrame(OpenFrame.STREAM, name, "int32", "");
    peer.frame(FrameType.OPEN, 0, id, 0, open::encode);
  }

  /** Completes at the end of stream 1, for which three messages are requested. */
  private CompletableFuture<Void> opened() {
    var stream = subscribe("x", 3);
    open(raw, 1, "x");
    raw.awaitFrame(FrameType.DEMAND);
    return stream;
  }

  private CompletableFuture<Void> subscribe(String stream, long demand) {
    CompletableFuture<Void> end = new CompletableFuture<>();
    CompletableFuture<Void> subscribed = new CompletableFuture<>();
    hostile.receive(stream, Codecs.int32()).subscribe(new BaseSubscriber<>() {
      @Override
      protected void hookOnSubscribe(org.reactivestreams.Subscription s) {
        s.request(demand);
        subscribed.complete(null);
      }

      @Override
      protected void hookOnError(Throwable t) {
        end.completeExceptionally(t);
      }

      @Override
      protected void hookOnComplete() {
        end.complete(null);
      }
    });
    subscribed.orTimeout(15, TimeUnit.SECONDS).join();
    awaitRegistration();
    return end;
  }

  /** A subscription reaches the engine in a separate task, after {@code onSubscribe} returned. */
  private void awaitRegistration() {
    CompletableFuture<Void> registered = new CompletableFuture<>();
    server.engine().execute(() -> registered.complete(null));
    registered.orTimeout(15, TimeUnit.SECONDS).join();
  }

  private void assertViolated(CompletableFuture<?> stream) {
    raw.waitFor("end of the stream", stream::isDone);
    Throwable failure = assertThrows(
            CompletionException.class,
            () -> stream.orTimeout(15, TimeUnit.SECONDS).join())
        .getCause();
    assertInstanceOf(ProtocolViolationException.class, failure);
    hostile.onClose().block(Nodes.PATIENCE);
    raw.waitFor("end of the endpoint", () -> raw.failure() != null);
    assertEquals(1, counted(RailfluxMeter.SESSIONS_VIOLATED));
  }

  private double counted(RailfluxMeter meter) {
    return meters.get(meter.meterName()).functionCounter().count();
  }

  /** The session may continue over another connection, if the peer opens one. */
  private void assertCutOff(CompletableFuture<?> stream) {
    raw.waitFor("end of the endpoint", () -> raw.failure() != null);
    assertFalse(stream.isDone());
    assertEquals(0, counted(RailfluxMeter.SESSIONS_VIOLATED));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource({"framesAgainstTheFormat", "framesAgainstTheProtocol"})
  void endsTheSession(String name, Crime crime) {
    var stream = subscribe("victim", 1);
    crime.commit(raw);
    if (raw.wroteWhatNoKeySeals()) {
      assertCutOff(stream);
      assertEquals(1, counted(RailfluxMeter.FRAMES_FORGED));
    } else {
      assertViolated(stream);
    }
  }

  @Test
  void isNamedInTheLogOnceAndCountedEveryTime() throws Exception {
    PrintStream before = System.err;
    ByteArrayOutputStream logged = new ByteArrayOutputStream();
    System.setErr(new PrintStream(logged, true, StandardCharsets.UTF_8));
    try {
      for (int time = 1; time <= 3; time++) {
        raw.frame(FrameType.DATA, 99, 0);
        hostile.onClose().block(Nodes.PATIENCE);
        assertEquals(time, counted(RailfluxMeter.SESSIONS_VIOLATED));
        raw.close();
        comeIn();
      }
    } finally {
      System.setErr(before);
    }
    String log = logged.toString(StandardCharsets.UTF_8);
    assertEquals(2, log.split("node 'server' ended a session", -1).length, log);
  }

  @Test
  void writeBeyondTheRingEndsTheConnection() throws Exception {
    assumeFalse(ground.isMapped(), "a peer cannot write beyond a mapping");
    var stream = subscribe("victim", 1);
    raw.attach(2 * raw.ringBytes()).send(raw.ringBytes() - 32, 64);
    assertCutOff(stream);
  }

  @Test
  void messagesBeyondTheDemandEndTheSession() {
    var stream = opened();
    for (int i = 0; i < 4; i++) {
      int value = i;
      raw.frame(FrameType.DATA, 0, 1, i, b -> b.putInt(value));
    }
    assertViolated(stream);
  }

  @Test
  void batchBeyondTheDemandEndsTheSession() {
    var stream = opened();
    raw.frame(FrameType.BATCH, 0, 1, 0, b -> {
      for (int i = 0; i < 4; i++) {
        b.putLong(i);
      }
      for (int i = 0; i < 5; i++) {
        b.putShort((short) 4);
      }
    });
    assertViolated(stream);
  }

  @Test
  void batchWithAnInvalidTableEndsTheSession() {
    var stream = opened();
    raw.frame(
        FrameType.BATCH,
        0,
        1,
        0,
        b -> b.putLong(1).putLong(2).putShort((short) 4).putShort((short) 9).putShort((short) 2));
    assertViolated(stream);
  }

  @Test
  void duplicateMessageEndsTheSession() {
    var stream = opened();
    raw.frame(FrameType.DATA, 0, 1, 0, b -> b.putInt(1));
    raw.frame(FrameType.DATA, 0, 1, 0, b -> b.putInt(1));
    assertViolated(stream);
  }

  @Test
  void endBeforeSentMessagesEndsTheSession() {
    var stream = opened();
    raw.frame(FrameType.DATA, 0, 1, 0, b -> b.putInt(1));
    raw.frame(FrameType.DATA, 0, 1, 1, b -> b.putInt(1));
    raw.frame(FrameType.COMPLETE, 1, 1);
    assertViolated(stream);
  }

  @Test
  void secondEndEndsTheSession() {
    var stream = opened();
    raw.frame(FrameType.COMPLETE, 1, 2);
    raw.frame(FrameType.COMPLETE, 1, 3);
    assertViolated(stream);
  }

  @Test
  void acceptsARejectionWithAnUnknownReason() {
    var sent = hostile.send("s", Codecs.int32(), Flux.just(1)).toFuture();
    raw.awaitFrame(FrameType.OPEN);
    raw.frame(FrameType.REJECT, FrameFlags.REPLY, 1, 0, new RejectFrame(250, "because")::encode);
    Throwable failure = assertThrows(
            CompletionException.class,
            () -> sent.orTimeout(15, TimeUnit.SECONDS).join())
        .getCause();
    assertEquals(true, failure.getMessage().contains("because"));
  }

  @Test
  void framesOfLaterVersionsAreSkipped() {
    var stream = subscribe("x", 3);
    raw.frame(100, FrameFlags.SKIPPABLE, 0, 0, b -> b.putLong(1));
    open(raw, 1, "x");
    raw.awaitFrame(FrameType.DEMAND);
    raw.frame(FrameType.COMPLETE, 1, 0);
    stream.orTimeout(15, TimeUnit.SECONDS).join();
  }

  @Test
  void floodOfStreamsWithUnreadRejectionsEndsTheSession() {
    var stream = subscribe("victim", 1);
    for (long id = 1; !stream.isDone() && raw.failure() == null && id < 3_000_000; id++) {
      if (!raw.hasRoom()) {
        raw.waitFor("room", () -> raw.hasRoom() || stream.isDone() || raw.failure() != null);
      }
      open(raw, id, "s" + id);
    }
    if (ground.isMapped() || stream.isDone()) {
      assertViolated(stream);
    } else {
      // Over a network, a peer that acknowledges nothing may be given up earlier.
      assertCutOff(stream);
    }
  }

  @Test
  void repeatedAnnouncementOfARouteEndsTheSession() {
    var stream = subscribe("victim", 1);
    OpenFrame route = new OpenFrame(OpenFrame.ROUTE, "never", "int32", "int32");
    raw.frame(FrameType.OPEN, 0, 1, 0, route::encode);
    raw.frame(FrameType.OPEN, 0, 2, 0, route::encode);
    assertViolated(stream);
  }

  @Test
  void headersThatChangeDuringTheReadHaveNoEffect() {
    var stream = subscribe("x", Long.MAX_VALUE);
    open(raw, 1, "x");
    raw.awaitFrame(FrameType.DEMAND);
    for (int i = 0; i < 200_000 && !stream.isDone(); i++) {
      int at = raw.offset();
      int value = i;
      raw.frame(FrameType.DATA, 0, 1, i, b -> b.putInt(value));
      raw.scribble(at, i % 2 == 0 ? -1L : 0x0020_0002_7fff_ffffL);
      raw.scribble(at + FrameHeader.STREAM_ID_OFFSET, i);
      raw.scribble(at, 0);
      if (i % 256 == 0) {
        raw.keepUp();
      }
      if (!raw.hasRoom()) {
        break;
      }
    }
    for (int at = 0; at < raw.ringBytes(); at += FrameHeader.SLOT_BYTES) {
      raw.scribble(at, -1);
      if (at % 16_384 == 0) {
        raw.keepUp();
      }
    }
    if (ground.isSealed()) {
      assertCutOff(stream);
    } else {
      assertViolated(stream);
    }
  }
}
