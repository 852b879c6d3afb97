package io.railflux.fabric.verbs;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.railflux.Node;
import io.railflux.Peer;
import io.railflux.message.Codecs;
import io.railflux.metrics.RailStatus;
import java.io.IOException;
import java.net.NetworkInterface;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.CRC32;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import reactor.core.publisher.Flux;

/** Links that fail during a stream. The guest of {@code rdma-guest} has such links. */
@Tag("FT1")
@Timeout(value = 400, unit = TimeUnit.SECONDS)
@ExtendWith({WhereVerbsWork.class, NothingNativeLeft.class, OneReceiver.class})
class VerbsLinkTest {

  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final int MESSAGE_BYTES = 1024;

  private final AtomicLong taken = new AtomicLong();
  private final AtomicBoolean enough = new AtomicBoolean();
  private final CRC32 checksum = new CRC32();
  private String name;
  private Node node;
  private StreamProcess receiver;
  private CompletableFuture<Void> sending;

  @BeforeEach
  void startSender(TestInfo test, StreamProcess other) throws Exception {
    assumeTrue(
        NetworkInterface.getByName("rail0") != null,
        "this host has no rail0 that a test may take down; the RDMA guest has one");
    name = test.getTestMethod().orElseThrow().getName();
    node = StreamProcess.config(name).start().block(PATIENCE);
    receiver = other;
  }

  @AfterEach
  void endSender() throws Exception {
    if (node != null) {
      set("rail0", "up");
      node.close().block(PATIENCE);
    }
  }

  @Test
  void streamResumesWhenItsOnlyLinkRecovers() throws Exception {
    stream("verbs:10.77.0.2:" + receiver.port() + "@10.77.0.1");
    set("rail0", "down");
    awaitStandstill();
    assertFalse(sending.isDone());
    set("rail0", "up");

    awaitProgress();
    assertNothingLostOrDoubled();
  }

  @Test
  @Tag("MR12")
  void streamContinuesOverTheOtherRailUntilTheFirstRecovers() throws Exception {
    int port = receiver.port();
    continuesOverAnotherRail("verbs:10.77.1.2:" + port + "@10.77.1.1");
  }

  @Test
  @Tag("MR12")
  void streamContinuesOverTcpUntilTheRailRecovers() throws Exception {
    continuesOverAnotherRail(receiver.tcpAddress());
  }

  private void continuesOverAnotherRail(String other) throws Exception {
    Peer peer = stream("verbs:10.77.0.2:" + receiver.port() + "@10.77.0.1," + other);
    awaitRails(peer, 2);
    set("rail0", "down");
    awaitRails(peer, 1);
    awaitProgress();
    set("rail0", "up");
    awaitRails(peer, 2);

    awaitProgress();
    assertNothingLostOrDoubled();
  }

  private static void awaitRails(Peer peer, int count) {
    await()
        .atMost(PATIENCE)
        .until(() -> peer.rails().stream().filter(RailStatus::available).count() == count);
  }

  private Peer stream(String addresses) {
    Peer peer = StreamProcess.connect(node, addresses);
    Flux<byte[]> messages = VerbsStreamTest.messages(MESSAGE_BYTES, Integer.MAX_VALUE)
        .takeUntil(message -> enough.get())
        .doOnNext(checksum::update)
        .doOnNext(message -> taken.incrementAndGet());
    sending = peer.send("up", Codecs.bytes(), messages).toFuture();
    awaitProgress();
    return peer;
  }

  private void awaitProgress() {
    long before = taken.get();
    await().atMost(PATIENCE).until(() -> taken.get() > before + 2_000);
  }

  /** Waits until credits and windows are exhausted, because no acknowledgement arrives. */
  private void awaitStandstill() {
    long[] seen = {-1};
    await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofSeconds(1))
        .until(() -> seen[0] == (seen[0] = taken.get()));
  }

  private void assertNothingLostOrDoubled() throws Exception {
    enough.set(true);
    sending.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    assertEquals(StreamProcess.summary(taken.get(), checksum), receiver.receivedFrom(name));
  }

  private static void set(String link, String state) throws IOException, InterruptedException {
    Process ip =
        new ProcessBuilder("ip", "link", "set", link, state).inheritIO().start();
    assertEquals(0, ip.waitFor(), "ip link set " + link + " " + state);
  }
}
