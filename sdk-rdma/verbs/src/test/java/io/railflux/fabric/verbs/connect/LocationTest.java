package io.railflux.fabric.verbs.connect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LocationTest {

  @Test
  void anAddressAndAPort() throws IOException {
    assertEquals(new Location("192.0.2.1", 7471, null), Location.parse("192.0.2.1:7471"));
  }

  @Test
  void anAddressOfSixInBrackets() throws IOException {
    assertEquals(new Location("2001:db8::1", 7471, null), Location.parse("[2001:db8::1]:7471"));
  }

  @Test
  void aSourceToConnectFrom() throws IOException {
    Location location = Location.parse("192.0.2.1:7471@192.0.2.9");

    assertEquals("192.0.2.9", location.sourceAddress().getAddress().getHostAddress());
    assertEquals(7471, location.lookUp().getPort());
  }

  @Test
  void onlyNamesHaveToBeLookedUp() throws IOException {
    assertTrue(Location.parse("storage.example:7471").isName());
    assertTrue(!Location.parse("192.0.2.1:7471").isName());
  }

  @Test
  void namesAreNoPlaceToListenAt() throws IOException {
    Location location = Location.parse("storage.example:7471");

    assertThrows(IOException.class, location::toListenAt);
  }

  @Test
  void anyAddressToListenAt() throws IOException {
    assertTrue(Location.parse("*:0").isAny());
    assertTrue(Location.parse("*:0").toListenAt().getAddress().isAnyLocalAddress());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ":",
        "7471",
        "192.0.2.1",
        "192.0.2.1:",
        "192.0.2.1:x",
        "192.0.2.1:65536",
        "192.0.2.1:-1",
        "2001:db8::1:7471",
        ":7471",
        "192.0.2.1:7471@",
        "192.0.2.1:7471@here"
      })
  void reportsInvalidLocations(String text) {
    IOException refusal = assertThrows(IOException.class, () -> Location.parse(text));
    assertTrue(refusal.getMessage().contains("'"), refusal::getMessage);
  }

  @Test
  void roundTripsAsText() throws IOException {
    for (String text : new String[] {"192.0.2.1:7471", "[2001:db8:0:0:0:0:0:1]:7471"}) {
      Location location = Location.parse(text);
      InetAddress address = InetAddress.ofLiteral(location.host());
      assertEquals(text, Location.format(address, location.port()));
    }
  }
}
