package io.railflux;

import io.railflux.fabric.shm.ShmFabricProvider;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.reactivestreams.Publisher;
import org.testng.SkipException;
import org.testng.annotations.AfterClass;
import org.testng.annotations.BeforeClass;
import org.testng.annotations.Test;
import reactor.core.publisher.Flux;

/** The Reactive Streams rules for a publisher of the API, between two nodes over shared memory. */
public abstract class NodesTck<T> extends PublisherRules<T> {

  static final Duration PATIENCE = Duration.ofSeconds(20);
  static final String ADDRESS = "shm:tck";

  private static final long QUIET_MILLIS = 30;

  private final AtomicInteger names = new AtomicInteger();
  private Path directory;
  Node server;
  Node client;
  Peer toServer;
  Peer toClient;
  private Peer gone;

  NodesTck() {
    super(QUIET_MILLIS);
  }

  @BeforeClass
  public void connect() throws IOException {
    directory = Files.createTempDirectory(Path.of("/dev/shm"), "railflux-test-");
    server = start("server");
    client = start("client");
    server.bind(ADDRESS).block(PATIENCE);
    toServer = client.connect(ADDRESS).block(PATIENCE);
    toClient = server.peers().blockFirst(PATIENCE);
    gone = client.connect(ADDRESS).block(PATIENCE);
    gone.close().block(PATIENCE);
  }

  private Node start(String name) {
    return Railflux.create()
        .name(name)
        .fabrics(new ShmFabricProvider(directory))
        .drainOnShutdown(false)
        .start()
        .block(PATIENCE);
  }

  @AfterClass
  public void close() throws IOException {
    server.abort();
    client.abort();
    server.onClose().block(PATIENCE);
    client.onClose().block(PATIENCE);
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted((a, b) -> b.compareTo(a)).toList()) {
        Files.delete(file);
      }
    }
  }

  String newName() {
    return "stream-" + names.incrementAndGet();
  }

  static Flux<Integer> range(long elements) {
    return Flux.range(0, (int) Math.min(elements, Integer.MAX_VALUE));
  }

  /** Returns the API's publisher of a peer that has left. */
  abstract Publisher<T> of(Peer peer);

  @Override
  public Publisher<T> createFailedPublisher() {
    return of(gone);
  }

  /** A publisher with one subscriber would make the verification wait for signals to others. */
  boolean isMulticast() {
    return false;
  }

  private void skipUnlessMulticast() {
    if (!isMulticast()) {
      throw new SkipException("the publisher has one subscriber");
    }
  }

  @Override
  @Test
  public void optional_spec111_registeredSubscribersMustReceiveOnNextOrOnCompleteSignals()
      throws Throwable {
    skipUnlessMulticast();
    super.optional_spec111_registeredSubscribersMustReceiveOnNextOrOnCompleteSignals();
  }

  @Override
  @Test
  public void
      optional_spec111_multicast_mustProduceTheSameElementsInTheSameSequenceToAllOfItsSubscribersWhenRequestingOneByOne()
          throws Throwable {
    skipUnlessMulticast();
    super
        .optional_spec111_multicast_mustProduceTheSameElementsInTheSameSequenceToAllOfItsSubscribersWhenRequestingOneByOne();
  }

  @Override
  @Test
  public void
      optional_spec111_multicast_mustProduceTheSameElementsInTheSameSequenceToAllOfItsSubscribersWhenRequestingManyUpfront()
          throws Throwable {
    skipUnlessMulticast();
    super
        .optional_spec111_multicast_mustProduceTheSameElementsInTheSameSequenceToAllOfItsSubscribersWhenRequestingManyUpfront();
  }

  @Override
  @Test
  public void
      optional_spec111_multicast_mustProduceTheSameElementsInTheSameSequenceToAllOfItsSubscribersWhenRequestingManyUpfrontAndCompleteAsExpected()
          throws Throwable {
    skipUnlessMulticast();
    super
        .optional_spec111_multicast_mustProduceTheSameElementsInTheSameSequenceToAllOfItsSubscribersWhenRequestingManyUpfrontAndCompleteAsExpected();
  }
}
