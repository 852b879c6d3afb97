package io.railflux.fabric.verbs.connect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;

class RemoteEndTest {

  private static RemoteEnd at(String address, int port, int processId) {
    return new RemoteEnd(new InetSocketAddress(InetAddress.ofLiteral(address), port), processId);
  }

  @Test
  void twoConnectionsOfOneHostDifferInTheirDescriptionOnly() {
    RemoteEnd first = at("192.0.2.7", 4711, 12);
    RemoteEnd second = at("192.0.2.7", 4712, 13);

    assertEquals("192.0.2.7", first.host());
    assertEquals(first.host(), second.host());
    assertNotEquals(first.toString(), second.toString());
  }

  @Test
  void descriptionContainsProcessAddressAndPort() {
    assertEquals("process 12 at 192.0.2.7:4711", at("192.0.2.7", 4711, 12).toString());
    assertEquals(
        "process 12 at [2001:db8:0:0:0:0:0:7]:4711", at("2001:db8::7", 4711, 12).toString());
  }
}
