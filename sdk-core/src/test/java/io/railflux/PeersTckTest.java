package io.railflux;

import org.reactivestreams.Publisher;
import org.testng.annotations.BeforeClass;
import org.testng.annotations.Test;

/** {@link Node#peers} by the rules that apply to a publisher that ends with its node only. */
@Test
public class PeersTckTest extends NodesTck<Peer> {

  private static final int PEERS = 30;

  @BeforeClass(dependsOnMethods = "connect")
  public void connectMany() {
    for (int i = 1; i < PEERS; i++) {
      client.connect(ADDRESS).block(PATIENCE);
    }
  }

  @Override
  public long maxElementsFromPublisher() {
    return publisherUnableToSignalOnComplete();
  }

  @Override
  public Publisher<Peer> createPublisher(long elements) {
    return server.peers();
  }

  @Override
  Publisher<Peer> of(Peer peer) {
    return null;
  }

  @Override
  boolean isMulticast() {
    return true;
  }
}
