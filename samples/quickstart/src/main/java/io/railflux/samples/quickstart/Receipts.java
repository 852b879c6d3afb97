package io.railflux.samples.quickstart;

import io.railflux.Peer;
import io.railflux.message.Codecs;
import io.railflux.message.Receipt;
import java.util.List;
import reactor.core.publisher.Flux;

/** A receipt for every message that arrived in the memory of the peer. */
final class Receipts {

  private Receipts() {}

  // tag::receipts[]
  static Flux<Receipt> transfer(Peer peer, Flux<String> orders) {
    return peer.sendWithReceipts("orders", Codecs.utf8(), orders);
  }
  // end::receipts[]

  static List<Receipt> run(String address) {
    try (TwoNodes nodes = TwoNodes.connected(address)) {
      nodes.toServer().receive("orders", Codecs.utf8()).subscribe();
      return transfer(nodes.toClient(), Flux.just("buy 10", "sell 5", "buy 1"))
          .collectList()
          .block(TwoNodes.PATIENCE);
    }
  }

  public static void main(String[] args) {
    run("shm:receipts").forEach(System.out::println);
  }
}
