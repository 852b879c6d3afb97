package io.railflux;

import io.railflux.message.Codecs;
import org.reactivestreams.Publisher;
import org.testng.annotations.BeforeClass;
import org.testng.annotations.Test;
import reactor.core.publisher.Mono;

/** {@link Peer#request} against the Reactive Streams rules that apply to one reply. */
@Test
public class RequestTckTest extends NodesTck<Integer> {

  private static final Route<Long, Integer> FIRST =
      new Route<>("first", Codecs.int64(), Codecs.int32());

  @BeforeClass(dependsOnMethods = "connect")
  public void respond() {
    server.respond(FIRST, elements -> elements == 0 ? Mono.empty() : Mono.just(7));
  }

  @Override
  public long maxElementsFromPublisher() {
    return 1;
  }

  @Override
  public Publisher<Integer> createPublisher(long elements) {
    return toServer.request(FIRST, elements);
  }

  @Override
  Publisher<Integer> of(Peer peer) {
    return peer.request(FIRST, 1L);
  }

  @Override
  boolean isMulticast() {
    return true;
  }
}
