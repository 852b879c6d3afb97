package io.railflux;

import io.railflux.message.Codecs;
import org.reactivestreams.Publisher;
import org.testng.annotations.BeforeClass;
import org.testng.annotations.Test;

/** {@link Peer#requestStream} against the Reactive Streams rules. */
@Test
public class RequestStreamTckTest extends NodesTck<Integer> {

  private static final Route<Long, Integer> RANGE =
      new Route<>("range", Codecs.int64(), Codecs.int32());

  @BeforeClass(dependsOnMethods = "connect")
  public void respond() {
    server.respondStream(RANGE, NodesTck::range);
  }

  @Override
  public Publisher<Integer> createPublisher(long elements) {
    return toServer.requestStream(RANGE, elements);
  }

  @Override
  Publisher<Integer> of(Peer peer) {
    return peer.requestStream(RANGE, 1L);
  }

  @Override
  boolean isMulticast() {
    return true;
  }
}
