package io.railflux;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.message.Codecs;
import io.railflux.wire.ControlWords;
import io.railflux.wire.Hello;
import io.railflux.wire.Versions;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** HELLOs against the rules are refused or cut off; they become no peers and disturb none. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class HostileHandshakeTest {

  @RegisterExtension
  final LeakCheck leaks = new LeakCheck();

  @RegisterExtension
  final Nodes nodes = new Nodes(leaks);

  private String address;
  private Nodes.Pair honest;
  private final List<RawPeer> raws = new ArrayList<>();
  private final List<String> peers = new CopyOnWriteArrayList<>();

  @BeforeEach
  void bind() {
    Node server = nodes.start("server");
    address = nodes.newAddress();
    server.bind(address).block(Nodes.PATIENCE);
    server.peers().map(Peer::name).subscribe(peers::add);
    honest = nodes.join(server, nodes.start("honest"), address);
  }

  private RawPeer raw() throws Exception {
    RawPeer raw = new RawPeer(leaks.directory(), address);
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

  private static Hello with(Hello hello, Hello.Regions regions) {
    return new Hello(
        hello.versions(),
        hello.features(),
        hello.identity(),
        hello.attempt(),
        regions,
        hello.limits(),
        null);
  }

  private static Arguments wrong(String name, UnaryOperator<Hello> change) {
    return Arguments.of(name, change);
  }

  static Stream<Arguments> refusedHellos() {
    return Stream.of(
        wrong(
            "a version of the future",
            h -> new Hello(
                new Versions(7, 9), 0, h.identity(), h.attempt(), h.regions(), h.limits(), null)),
        wrong("expects another node", h -> {
          Hello.Identity i = h.identity();
          return new Hello(
              h.versions(),
              0,
              new Hello.Identity(i.incarnationHigh(), i.incarnationLow(), 1, 2, i.nodeName()),
              h.attempt(),
              h.regions(),
              h.limits(),
              null);
        }),
        wrong(
            "a ring too small",
            h -> with(
                h,
                new Hello.Regions(
                    h.regions().ringKey(), 1024, h.regions().wordsKey(), ControlWords.BYTES))),
        wrong(
            "a ring of an odd size",
            h -> with(
                h,
                new Hello.Regions(
                    h.regions().ringKey(), 3 << 16, h.regions().wordsKey(), ControlWords.BYTES))),
        wrong(
            "words of another size",
            h -> with(
                h,
                new Hello.Regions(h.regions().ringKey(), 64 << 10, h.regions().wordsKey(), 64))),
        wrong(
            "a window too small",
            h -> new Hello(
                h.versions(),
                0,
                h.identity(),
                h.attempt(),
                h.regions(),
                new Hello.Limits(64, 4096, 16, 16),
                null)));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("refusedHellos")
  void isRefusedWithAReason(String name, UnaryOperator<Hello> change) throws Exception {
    RawPeer raw = raw();
    raw.say(change.apply(raw.hello()));
    raw.waitFor("refusal", () -> raw.refusal() != null);
    assertTrue(!raw.refusal().isEmpty());
  }

  @Test
  void keysOfNothingAreCutOff() throws Exception {
    RawPeer raw = raw();
    Hello.Regions right = raw.regions();
    raw.say(raw.hello(
        new Hello.Regions(12345, right.ringBytes(), right.wordsKey(), right.wordsBytes())));
    raw.waitFor("end", () -> raw.failure() != null || raw.refusal() != null);
  }

  @Test
  void aRingShorterThanItSaysIsCutOff() throws Exception {
    RawPeer raw = raw();
    Hello.Regions right = raw.regions();
    raw.say(raw.hello(
        new Hello.Regions(right.ringKey(), 1 << 20, right.wordsKey(), right.wordsBytes())));
    raw.waitFor("end", () -> raw.failure() != null || raw.refusal() != null);
  }

  @Test
  void bytesThatAreNoHelloAreRefused() throws Exception {
    RawPeer raw = raw();
    raw.say("GET / HTTP/1.1\r\n\r\n".getBytes(java.nio.charset.StandardCharsets.US_ASCII));
    raw.waitFor("refusal", () -> raw.failure() != null || raw.refusal() != null);
  }

  @Test
  void anEmptyMessageIsRefused() throws Exception {
    RawPeer raw = raw();
    raw.say(new byte[0]);
    raw.waitFor("refusal", () -> raw.failure() != null || raw.refusal() != null);
  }

  @Test
  void aTruncatedHelloIsRefused() throws Exception {
    RawPeer raw = raw();
    java.nio.ByteBuffer encoded = java.nio.ByteBuffer.allocate(4096);
    raw.hello().encode(encoded);
    raw.say(java.util.Arrays.copyOf(encoded.array(), 50));
    raw.waitFor("refusal", () -> raw.failure() != null || raw.refusal() != null);
  }

  @Test
  void theSameSessionTwiceIsRefused() throws Exception {
    RawPeer first = raw();
    Hello hello = first.hello();
    first.say(hello);
    accepted = 1;
    await().until(() -> peers.contains(RawPeer.NAME));
    RawPeer second = raw();
    second.say(with(hello, second.regions()));
    second.waitFor("refusal", () -> second.refusal() != null);
  }

  @Test
  void peersThatSayNothingDisturbNobody() throws Exception {
    for (int i = 0; i < 20; i++) {
      raw();
    }
    assertEquals(
        "server", nodes.start("another").connect(address).block(Nodes.PATIENCE).name());
  }

  @Test
  void peersThatLeaveInTheMiddleDisturbNobody() throws Exception {
    for (int i = 0; i < 20; i++) {
      RawPeer raw = raw();
      raw.say(raw.hello());
      raw.close();
    }
    accepted = 20;
    assertEquals(
        "server", nodes.start("another").connect(address).block(Nodes.PATIENCE).name());
  }
}
