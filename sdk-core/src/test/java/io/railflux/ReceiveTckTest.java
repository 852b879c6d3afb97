package io.railflux;

import io.railflux.message.Codecs;
import org.reactivestreams.Publisher;
import org.testng.annotations.Test;

/** {@link Peer#receive} against the Reactive Streams rules. */
@Test
public class ReceiveTckTest extends NodesTck<Integer> {

  @Override
  public Publisher<Integer> createPublisher(long elements) {
    String name = newName();
    toServer.send(name, Codecs.int32(), range(elements)).subscribe(x -> {}, e -> {});
    return toClient.receive(name, Codecs.int32());
  }

  @Override
  Publisher<Integer> of(Peer peer) {
    return peer.receive("n", Codecs.int32());
  }
}
