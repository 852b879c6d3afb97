package io.railflux.fabric.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.Node;
import io.railflux.Peer;
import io.railflux.Railflux;
import io.railflux.exceptions.BindFailedException;
import io.railflux.exceptions.FabricUnavailableException;
import io.railflux.exceptions.PeerUnreachableException;
import io.railflux.message.Codecs;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The peers that TLS accepts and rejects. */
class TlsTest {

  private static final Duration PATIENCE = Duration.ofSeconds(20);

  @TempDir
  Path directory;

  private final List<Node> nodes = new ArrayList<>();
  private Certificates ours;
  private Tls server;
  private Tls client;

  @BeforeEach
  void makeCertificates() throws Exception {
    ours = new Certificates(directory, "ours");
    server = ours.identity("server", "127.0.0.1");
    client = ours.identity("client", "127.0.0.1");
  }

  @AfterEach
  void closeNodes() {
    nodes.forEach(node -> node.close().onErrorComplete().block(PATIENCE));
  }

  private Node node(String name, TcpFabricProvider tcp) {
    Node node =
        Railflux.create().name(name).fabrics(tcp).drainOnShutdown(false).start().block(PATIENCE);
    nodes.add(node);
    return node;
  }

  private String listening(Tls tls) {
    return node("server", new TcpFabricProvider().tls(tls))
        .bind("tcp:127.0.0.1:0")
        .block(PATIENCE);
  }

  private String refusal(String address, TcpFabricProvider tcp) {
    Node node = node("client", tcp);
    return assertThrows(
            PeerUnreachableException.class, () -> node.connect(address).block(PATIENCE))
        .getMessage();
  }

  @Test
  void streamsFlowBetweenMutuallyTrustedNodes() {
    Node listening =
        node("server", new TcpFabricProvider().tls(server.requireClientCertificates()));
    String address = listening.bind("tcp:127.0.0.1:0").block(PATIENCE);
    Peer peer =
        node("client", new TcpFabricProvider().tls(client)).connect(address).block(PATIENCE);
    Peer back = listening.peers().blockFirst(PATIENCE);

    var got = Mono.zip(
            back.receive("n", Codecs.int32()).collectList(),
            peer.send("n", Codecs.int32(), Flux.range(0, 10_000)).thenReturn(true))
        .block(PATIENCE);
    assertEquals(10_000, got.getT1().size());
    assertTrue(peer.explain().contains("TLS, both certified"), peer.explain());
    assertTrue(back.explain().contains("TLS, both certified"), back.explain());
  }

  @Test
  void peerWithoutCertificateIsEncrypted() {
    Tls anonymous = Tls.create().trust(ours.authority());
    Peer peer = node("client", new TcpFabricProvider().tls(anonymous))
        .connect(listening(server))
        .block(PATIENCE);

    assertTrue(peer.explain().contains("(TLS)"), peer.explain());
  }

  @Test
  void rejectsAMissingCertificateIfOneIsRequired() {
    String address = listening(server.requireClientCertificates());

    refusal(address, new TcpFabricProvider().tls(Tls.create().trust(ours.authority())));
  }

  @Test
  void rejectsACertificateOfAnotherAuthority() throws Exception {
    Tls theirs = new Certificates(directory, "theirs").identity("stranger", "127.0.0.1");
    String address = listening(server.requireClientCertificates());

    String errorText = refusal(address, new TcpFabricProvider().tls(theirs));
    assertTrue(errorText.contains("TLS: "), errorText);
  }

  @Test
  void rejectsACertificateOfAnotherHost() throws Exception {
    String address = listening(ours.identity("elsewhere", "192.0.2.1"));

    String errorText = refusal(address, new TcpFabricProvider().tls(client));
    assertTrue(errorText.contains("127.0.0.1"), errorText);
  }

  @Test
  void downgradeToPlaintextIsImpossible() {
    String clear =
        node("clear", new TcpFabricProvider()).bind("tcp:127.0.0.1:0").block(PATIENCE);

    refusal(clear, new TcpFabricProvider().tls(client));
    refusal(listening(server), new TcpFabricProvider());
  }

  @Test
  void nodeWithoutCertificateCannotListen() {
    Node node = node("n", new TcpFabricProvider().tls(Tls.create().trust(ours.authority())));
    String errorText = assertThrows(
            BindFailedException.class, () -> node.bind("tcp:127.0.0.1:0").block(PATIENCE))
        .getMessage();

    assertTrue(errorText.contains("Tls.identity"), errorText);
  }

  @Test
  void publicCertificatesAreNoProofOfIdentity() {
    Tls anybodys = Tls.create()
        .identity(directory.resolve("server.pem"), directory.resolve("server.key"))
        .requireClientCertificates();
    String errorText = assertThrows(
            FabricUnavailableException.class,
            () -> node("n", new TcpFabricProvider().tls(anybodys)))
        .getMessage();

    assertTrue(errorText.contains("Tls.trust"), errorText);
  }

  @Test
  void reportsMissingFilesAtTheStart() {
    Tls broken = Tls.create().identity(directory.resolve("no.pem"), directory.resolve("no.key"));
    String errorText = assertThrows(
            FabricUnavailableException.class, () -> node("n", new TcpFabricProvider().tls(broken)))
        .getMessage();

    assertTrue(errorText.contains("no.pem"), errorText);
  }
}
