package io.railflux.samples.quickstart;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.railflux.samples.quickstart.JsonMessages.Customer;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class JsonMessagesTest {

  @Test
  void smallAndLargeMessagesArriveEqual() {
    List<Customer> customers = List.of(
        new Customer("Ada", List.of("engines", "numbers")),
        new Customer("Grace", Collections.nCopies(100_000, "compilers")));
    assertEquals(customers, JsonMessages.sendAndReceive(Addresses.fresh(), customers));
  }
}
