package io.railflux;

import io.railflux.message.Codecs;
import io.railflux.message.Receipt;
import org.reactivestreams.Publisher;
import org.testng.annotations.Test;

/** {@link Peer#sendWithReceipts} against the Reactive Streams rules. */
@Test
public class ReceiptsTckTest extends NodesTck<Receipt> {

  @Override
  public Publisher<Receipt> createPublisher(long elements) {
    String name = newName();
    toClient.receive(name, Codecs.int32()).subscribe(x -> {}, e -> {});
    return toServer.sendWithReceipts(name, Codecs.int32(), range(elements));
  }

  @Override
  Publisher<Receipt> of(Peer peer) {
    return peer.sendWithReceipts("n", Codecs.int32(), range(1));
  }
}
