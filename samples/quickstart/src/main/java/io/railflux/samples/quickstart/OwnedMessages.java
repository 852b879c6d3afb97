package io.railflux.samples.quickstart;

import io.railflux.Peer;
import io.railflux.message.Codecs;
import io.railflux.message.Message;
import java.nio.charset.StandardCharsets;
import java.util.List;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Schedulers;

/** Raw messages that stay valid on any thread until they are closed. */
final class OwnedMessages {

  private OwnedMessages() {}

  // tag::owned[]
  static Flux<Integer> lengths(Peer peer) {
    return peer.receiveMessages("blobs")
        .publishOn(Schedulers.parallel())
        .map(OwnedMessages::lengthOf);
  }

  static int lengthOf(Message message) {
    try (message) {
      return message.payload().remaining();
    }
  }
  // end::owned[]

  static List<Integer> run(String address) {
    try (TwoNodes nodes = TwoNodes.connected(address)) {
      Flux<byte[]> blobs =
          Flux.just("one", "three", "eleven").map(text -> text.getBytes(StandardCharsets.UTF_8));
      nodes.toClient().send("blobs", Codecs.bytes(), blobs).subscribe();
      return lengths(nodes.toServer()).collectList().block(TwoNodes.PATIENCE);
    }
  }

  public static void main(String[] args) {
    System.out.println(run("shm:owned-messages"));
  }
}
