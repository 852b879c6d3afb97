package io.railflux;

import io.railflux.message.Codecs;
import io.railflux.message.Message;
import org.reactivestreams.Publisher;
import org.testng.annotations.Test;

/** {@link Peer#receiveMessages} against the Reactive Streams rules. */
@Test
public class ReceiveMessagesTckTest extends NodesTck<Integer> {

  private static int lengthOf(Message message) {
    try (message) {
      return message.lengthBytes();
    }
  }

  @Override
  public Publisher<Integer> createPublisher(long elements) {
    String name = newName();
    toServer
        .send(name, Codecs.bytes(), range(elements).map(i -> new byte[5]))
        .subscribe(x -> {}, e -> {});
    return toClient.receiveMessages(name).map(ReceiveMessagesTckTest::lengthOf);
  }

  @Override
  Publisher<Integer> of(Peer peer) {
    return peer.receiveMessages("n").map(ReceiveMessagesTckTest::lengthOf);
  }
}
