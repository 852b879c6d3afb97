package io.railflux;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.railflux.message.Codecs;
import io.railflux.metrics.RailfluxMeter;
import io.railflux.wire.ControlWords;
import io.railflux.wire.handshake.Authentication;
import io.railflux.wire.handshake.Bits256;
import io.railflux.wire.handshake.Grant;
import io.railflux.wire.handshake.Hello;
import io.railflux.wire.handshake.Versions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
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
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Invalid HELLOs are rejected or their connection is closed. They create no peer and disturb none. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
@ParameterizedClass(name = "{0}")
@EnumSource(Ground.class)
class HostileHandshakeTest {

  @RegisterExtension
  final LeakCheck leaks = new LeakCheck();

  @RegisterExtension
  final Nodes nodes = new Nodes(leaks);

  @Parameter
  Ground ground;

  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private String address;
  private Nodes.Pair honest;
  private final List<RawPeer> raws = new ArrayList<>();
  private final List<String> peers = new CopyOnWriteArrayList<>();

  @BeforeEach
  void bind() {
    Node server = nodes.start(
        "server",
        c -> ground.configure(c, leaks.directory()).ringBytes(64 << 10).meterRegistry(meters));
    address = server.bind(ground.newAddress(nodes)).block(Nodes.PATIENCE);
    server.peers().map(Peer::name).subscribe(peers::add);
    honest = nodes.join(server, honest("honest"), address);
  }

  private Node honest(String name) {
    return nodes.start(name, config -> ground.configure(config, leaks.directory()));
  }

  private RawPeer raw() throws Exception {
    RawPeer raw = new RawPeer(ground, leaks.directory(), address);
    raws.add(raw);
    return raw;
  }

  @AfterEach
  void othersGoOn() {
    var both = Mono.zip(
        honest.toClient().receive("alive", Codecs.int32()).collectList(),
        honest.toServer().send("alive", Codecs.int32(), Flux.just(1, 2)).thenReturn(true));
    assertEquals(List.of(1, 2), both.block(Nodes.PATIENCE).getT1());
    raws.forEach(RawPeer::close);
    await().until(() -> peers.stream().filter(RawPeer.NAME::equals).count() <= accepted);
  }

  private long accepted;

  static Stream<Arguments> refusedHellos() {
    return Stream.of(
        hello(
            "a version of the future", h -> with(h, new Versions(7, 9), h.identity(), h.limits())),
        hello("expects another node", h -> {
          Hello.Identity i = h.identity();
          Hello.Identity other =
              new Hello.Identity(i.incarnationHigh(), i.incarnationLow(), 1, 2, i.nodeName());
          return with(h, h.versions(), other, h.limits());
        }),
        hello(
            "a window too small",
            h -> with(h, h.versions(), h.identity(), new Hello.Limits(64, 4096, 16, 16))),
        hello(
            "a secret although the node has none",
            h -> new Hello(
                h.versions(),
                0,
                h.identity(),
                h.attempt(),
                h.limits(),
                new Authentication(
                    Authentication.SECRET,
                    Authentication.MUST,
                    3,
                    1,
                    new Bits256(1, 2, 3, 4),
                    new Bits256(9, 0, 0, 0),
                    new Bits256(5, 6, 7, 8)),
                null)));
  }

  private static Hello with(
      Hello hello, Versions versions, Hello.Identity identity, Hello.Limits limits) {
    return new Hello(versions, 0, identity, hello.attempt(), limits, hello.authentication(), null);
  }

  private static Arguments hello(String name, UnaryOperator<Hello> change) {
    return Arguments.of(name, change);
  }

  static Stream<Arguments> refusedGrants() {
    return Stream.of(
        grant("a ring too small", g -> with(g, 1024, ControlWords.BYTES)),
        grant("a ring of an invalid size", g -> with(g, 3 << 16, ControlWords.BYTES)),
        grant("words of another size", g -> with(g, g.ringBytes(), 64)));
  }

  private static Grant with(Grant grant, int ringBytes, int wordsBytes) {
    return new Grant(
        grant.ringKey(), ringBytes, grant.wordsKey(), wordsBytes, grant.sessionProof());
  }

  private static Arguments grant(String name, UnaryOperator<Grant> change) {
    return Arguments.of(name, change);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("refusedHellos")
  void isRejectedWithAReason(String name, UnaryOperator<Hello> change) throws Exception {
    RawPeer raw = raw();
    raw.introduce(change.apply(raw.hello()), raw.grant());
    assertRejected(raw);
  }

  private void assertRejected(RawPeer raw) {
    raw.waitFor("refusal", () -> raw.refusal() != null);
    assertTrue(!raw.refusal().isEmpty());
    assertEquals(1, refused());
  }

  private double refused() {
    String name = RailfluxMeter.HANDSHAKES_REFUSED.meterName();
    return meters.get(name).functionCounter().count();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("refusedGrants")
  void isRejectedAtItsGrant(String name, UnaryOperator<Grant> change) throws Exception {
    RawPeer raw = raw();
    raw.introduce(raw.hello(), change.apply(raw.grant()));
    assertRejected(raw);
  }

  @Test
  void invalidKeysEndTheConnection() throws Exception {
    // On fabrics without mapping, invalid keys are detected at the first write.
    accepted = ground.isMapped() || !ground.letsIn() ? 0 : 1;
    RawPeer raw = raw();
    Grant right = raw.grant();
    raw.introduce(
        raw.hello(),
        new Grant(
            12345, right.ringBytes(), right.wordsKey(), right.wordsBytes(), right.sessionProof()));
    raw.waitFor("end", () -> raw.failure() != null || raw.refusal() != null);
  }

  @Test
  void ringShorterThanDeclaredEndsTheConnection() throws Exception {
    assumeTrue(
        ground.isMapped() || !ground.letsIn(),
        "without mapping, the defect is detected at the first use");
    RawPeer raw = raw();
    raw.introduce(raw.hello(), with(raw.grant(), 1 << 20, ControlWords.BYTES));
    raw.waitFor("end", () -> raw.failure() != null || raw.refusal() != null);
  }

  @Test
  void ringWithAnExpensiveCopyEndsTheConnection() throws Exception {
    assumeTrue(ground.isSealed() && ground.letsIn(), "rings are copied where frames are sealed");
    RawPeer raw = raw();
    raw.introduce(raw.hello(), with(raw.grant(), 32 << 20, ControlWords.BYTES));
    raw.waitFor("end", () -> raw.failure() != null || raw.refusal() != null);
  }

  @Test
  void rejectsBytesThatAreNoHello() throws Exception {
    RawPeer raw = raw();
    raw.say("GET / HTTP/1.1\r\n\r\n".getBytes(java.nio.charset.StandardCharsets.US_ASCII));
    raw.waitFor("refusal", () -> raw.failure() != null || raw.refusal() != null);
  }

  @Test
  void rejectsAnEmptyMessage() throws Exception {
    RawPeer raw = raw();
    raw.say(new byte[0]);
    raw.waitFor("refusal", () -> raw.failure() != null || raw.refusal() != null);
  }

  @Test
  void rejectsATruncatedHello() throws Exception {
    RawPeer raw = raw();
    java.nio.ByteBuffer encoded = java.nio.ByteBuffer.allocate(4096);
    raw.hello().encode(encoded);
    raw.say(java.util.Arrays.copyOf(encoded.array(), 50));
    raw.waitFor("refusal", () -> raw.failure() != null || raw.refusal() != null);
  }

  @Test
  void rejectsADuplicateSession() throws Exception {
    assumeTrue(ground.letsIn(), "a stranger has no session");
    RawPeer first = raw();
    Hello hello = first.hello();
    first.introduce(hello, first.grant());
    accepted = 1;
    await().until(() -> peers.contains(RawPeer.NAME));
    RawPeer second = raw();
    second.introduce(hello, second.grant());
    second.waitFor("refusal", () -> second.refusal() != null);
  }

  /** Each endpoint would receive a ring in the node's memory. */
  @Test
  void limitsTheConnectionsOfASession() throws Exception {
    assumeTrue(ground.letsIn() && ground != Ground.TCP_SECRET && ground != Ground.TCP_SEALED);
    RawPeer first = raw();
    first.introduce(first.hello(), first.grant());
    accepted = 1;
    await().until(() -> peers.contains(RawPeer.NAME));
    int joined = 0;
    while (true) {
      RawPeer next = raw();
      next.introduce(first.helloOfAnother(++joined), next.grant());
      next.waitFor("an end", () -> next.isJoined() || next.refusal() != null);
      if (next.refusal() != null) {
        break;
      }
    }
    assertEquals(64, joined);
  }

  @Test
  void silentPeersDisturbNoOtherPeer() throws Exception {
    for (int i = 0; i < 20; i++) {
      raw();
    }
    assertEquals(
        "server", honest("another").connect(address).block(Nodes.PATIENCE).name());
  }

  @Test
  void peersThatDisconnectDuringTheHandshakeDisturbNoOtherPeer() throws Exception {
    for (int i = 0; i < 20; i++) {
      RawPeer raw = raw();
      raw.say(raw.hello());
      raw.close();
    }
    accepted = 20;
    assertEquals(
        "server", honest("another").connect(address).block(Nodes.PATIENCE).name());
  }
}
