package io.railflux;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.railflux.exceptions.PeerUnreachableException;
import io.railflux.fabric.shm.ShmFabricProvider;
import io.railflux.policy.ChannelPolicy;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Nodes whose shared memory is full. Sessions continue, and new peers are rejected with the reason on both sides. */
class FullSharedMemoryTest {

  private static final String NO_SPACE = "No space left on device";

  @RegisterExtension
  final LeakCheck leaks = new LeakCheck();

  @RegisterExtension
  final Nodes nodes = new Nodes(leaks);

  private Path small;
  private boolean mounted;

  @BeforeEach
  void mount() throws Exception {
    small = Files.createDirectory(leaks.directory().resolve("small"));
    mounted = run("mount", "-t", "tmpfs", "-o", "size=24m", "railflux-test", small.toString());
    assumeTrue(mounted, "only root with mount permission can run this");
  }

  @AfterEach
  void unmount() throws Exception {
    nodes.closeAll();
    if (mounted) {
      run("umount", "--lazy", small.toString());
    }
  }

  private static boolean run(String... command) throws IOException, InterruptedException {
    return new ProcessBuilder(command).start().waitFor() == 0;
  }

  private Node start(String name, int ringBytes) {
    return nodes.start(
        name,
        config -> config
            .fabrics(new ShmFabricProvider(small))
            .ringBytes(ringBytes)
            .channels(ChannelPolicy::dedicated));
  }

  private static void assertWorks(Peer peer) {
    assertEquals(1_000, peer.request(LimitedNode.LENGTH, new byte[1_000]).block(Nodes.PATIENCE));
    assertEquals(
        IntStream.range(0, 1_000).boxed().toList(),
        peer.requestStream(LimitedNode.NUMBERS, 1_000).collectList().block(Nodes.PATIENCE));
  }

  private static void fill(Path file) throws IOException {
    try (OutputStream output = Files.newOutputStream(file)) {
      byte[] block = new byte[4_096];
      while (true) {
        output.write(block);
      }
    } catch (IOException e) {
      // The exception is intended: the file system is full.
    }
  }

  private static void assertRejected(Node newcomer) {
    PeerUnreachableException refused = assertThrows(
        PeerUnreachableException.class, () -> newcomer.connect("shm:server").block(Nodes.PATIENCE));
    assertTrue(refused.getMessage().contains(NO_SPACE), refused.getMessage());
    assertTrue(
        refused.getMessage().contains("start the container with --shm-size=1g"),
        refused.getMessage());
  }

  @Test
  void sessionsContinueAndNewPeersAreRejectedWithoutSpace() throws Exception {
    Node server = start("server", 1 << 20);
    server.respond(LimitedNode.LENGTH, bytes -> Mono.just(bytes.length));
    server.respondStream(LimitedNode.NUMBERS, count -> Flux.range(0, count));
    server.bind("shm:server").block(Nodes.PATIENCE);
    Peer peer = start("client", 1 << 20).connect("shm:server").block(Nodes.PATIENCE);
    Node newcomer = start("newcomer", 128 << 10);
    Path filler = small.resolve("filler");
    Path little = Files.write(small.resolve("little"), new byte[640 << 10]);

    fill(filler);
    assertRejected(newcomer);
    assertWorks(peer);
    try (LogLines log = new LogLines()) {
      // Space for the ring of the new peer, but not for that of the server.
      Files.delete(little);
      assertRejected(newcomer);
      await().atMost(Nodes.PATIENCE).until(() -> log.count("WARN", "refused", NO_SPACE) >= 1);
    }
    assertWorks(peer);

    Files.delete(filler);
    assertWorks(newcomer.connect("shm:server").block(Nodes.PATIENCE));
    assertWorks(peer);
  }

  @Test
  void largeMessageWithoutLandingMemoryIsReportedAndWaits() throws Exception {
    Node server = start("server", 1 << 20);
    server.respond(LimitedNode.LENGTH, bytes -> Mono.just(bytes.length));
    server.bind("shm:server").block(Nodes.PATIENCE);
    Peer peer = start("client", 1 << 20).connect("shm:server").block(Nodes.PATIENCE);
    Path filler = small.resolve("filler");
    fill(filler);

    try (LogLines log = new LogLines()) {
      CompletableFuture<Integer> length =
          peer.request(LimitedNode.LENGTH, new byte[300_000]).toFuture();
      await()
          .atMost(Nodes.PATIENCE)
          .until(() -> log.count("WARN", "wait for memory to land in", NO_SPACE) == 1);
      assertFalse(length.isDone());

      Files.delete(filler);
      assertEquals(300_000, length.get(Nodes.PATIENCE.toSeconds(), TimeUnit.SECONDS));
    }
  }
}
