package io.railflux;

import io.railflux.fabric.shm.ShmFabricProvider;
import io.railflux.message.Codecs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.reactivestreams.Subscriber;
import org.reactivestreams.tck.SubscriberBlackboxVerification;
import org.reactivestreams.tck.TestEnvironment;
import org.testng.annotations.AfterClass;
import org.testng.annotations.BeforeClass;
import org.testng.annotations.Test;

/** The subscriber of {@link Peer#send} against the Reactive Streams rules. */
@Test
public class SendTckTest extends SubscriberBlackboxVerification<Integer> {

  private final AtomicInteger names = new AtomicInteger();
  private Path directory;
  private Node server;
  private Node client;
  private Peer toServer;
  private Peer toClient;

  public SendTckTest() {
    super(new TestEnvironment(1000, 30));
  }

  @BeforeClass
  public void connect() throws IOException {
    directory = Files.createTempDirectory(Path.of("/dev/shm"), "railflux-test-");
    server = start("server");
    client = start("client");
    server.bind("shm:tck").block(NodesTck.PATIENCE);
    toServer = client.connect("shm:tck").block(NodesTck.PATIENCE);
    toClient = server.peers().blockFirst(NodesTck.PATIENCE);
  }

  private Node start(String name) {
    return Railflux.create()
        .name(name)
        .fabrics(new ShmFabricProvider(directory))
        .drainOnShutdown(false)
        .start()
        .block(NodesTck.PATIENCE);
  }

  @AfterClass
  public void close() throws IOException {
    server.abort();
    client.abort();
    server.onClose().block(NodesTck.PATIENCE);
    client.onClose().block(NodesTck.PATIENCE);
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted((a, b) -> b.compareTo(a)).toList()) {
        Files.delete(file);
      }
    }
  }

  @Override
  @SuppressWarnings("unchecked")
  public Subscriber<Integer> createSubscriber() {
    String name = "stream-" + names.incrementAndGet();
    CompletableFuture<Subscriber<Integer>> subscribed = new CompletableFuture<>();
    toClient.receive(name, Codecs.int32()).subscribe(x -> {}, e -> {});
    toServer
        .send(
            name,
            Codecs.int32(),
            (Subscriber<? super Integer> s) -> subscribed.complete((Subscriber<Integer>) s))
        .subscribe(x -> {}, e -> {});
    return subscribed.orTimeout(10, TimeUnit.SECONDS).join();
  }

  @Override
  public Integer createElement(int element) {
    return element;
  }
}
