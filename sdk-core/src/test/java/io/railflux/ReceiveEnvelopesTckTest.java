package io.railflux;

import io.railflux.message.Codecs;
import io.railflux.message.Envelope;
import org.reactivestreams.Publisher;
import org.testng.annotations.Test;

/** {@link Peer#receiveEnvelopes} against the Reactive Streams rules. */
@Test
public class ReceiveEnvelopesTckTest extends NodesTck<Envelope<Integer>> {

  @Override
  public Publisher<Envelope<Integer>> createPublisher(long elements) {
    String name = newName();
    toServer
        .sendEnvelopes(name, Codecs.int32(), range(elements).map(Envelope::of))
        .subscribe(x -> {}, e -> {});
    return toClient.receiveEnvelopes(name, Codecs.int32());
  }

  @Override
  Publisher<Envelope<Integer>> of(Peer peer) {
    return peer.receiveEnvelopes("n", Codecs.int32());
  }
}
