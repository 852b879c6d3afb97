package io.railflux.address;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AddressTest {

  @ParameterizedTest
  @CsvSource({
    "shm:prices, shm, prices",
    "shm:4711, shm, 4711",
    "tcp:10.0.0.7:4711, tcp, 10.0.0.7:4711",
    "tcp:[::1]:4711, tcp, [::1]:4711",
    "10.0.0.7:4711, auto, 10.0.0.7:4711",
    "db.example.org:4711, auto, db.example.org:4711",
    "[fe80::1]:4711, auto, [fe80::1]:4711",
    "*:0, auto, *:0",
    "auto:tcp:4711, auto, tcp:4711",
    "' shm:prices ', shm, prices"
  })
  void parsesFabricAndLocation(String text, String scheme, String location) {
    assertEquals(new Address(scheme, location), Address.parse(text));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ":", "prices", "shm:", ":4711"})
  void rejectsInvalidAddressesWithExamples(String text) {
    String message =
        assertThrows(IllegalArgumentException.class, () -> Address.parse(text)).getMessage();
    assertTrue(message.contains("10.0.0.7:4711"), message);
  }

  @Test
  void nameInSharedMemoryBelongsToThePort() {
    HostPort one = HostPort.parse("localhost:4711");
    assertEquals(one.sharedMemoryName(), HostPort.parse("[::1]:4711").sharedMemoryName());
    assertTrue(one.sharedMemoryName().stream().allMatch(name -> name.startsWith("port-4711-")));
  }
}
