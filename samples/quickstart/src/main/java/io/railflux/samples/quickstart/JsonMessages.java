package io.railflux.samples.quickstart;

import io.railflux.message.Codec;
import io.railflux.message.Codecs;
import java.util.List;
import reactor.core.publisher.Flux;
import tools.jackson.databind.json.JsonMapper;

/** A serializer that writes to a stream: the codec states no size. */
final class JsonMessages {

  // tag::json[]
  record Customer(String name, List<String> interests) {}

  private static final JsonMapper JSON = new JsonMapper();

  static final Codec<Customer> CUSTOMER = Codecs.growing(
      "json:customer",
      (customer, target) -> JSON.writeValue(target, customer),
      source -> JSON.readValue(source, Customer.class));
  // end::json[]

  private JsonMessages() {}

  static List<Customer> sendAndReceive(String address, List<Customer> customers) {
    try (TwoNodes nodes = TwoNodes.connected(address)) {
      nodes.toClient().send("customers", CUSTOMER, Flux.fromIterable(customers)).subscribe();
      return nodes.toServer().receive("customers", CUSTOMER).collectList().block(TwoNodes.PATIENCE);
    }
  }

  public static void main(String[] args) {
    System.out.println(
        sendAndReceive("shm:json", List.of(new Customer("Ada", List.of("engines")))));
  }
}
