package io.railflux.fabric.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.net.NoRouteToHostException;
import org.junit.jupiter.api.Test;

/** Texts for failed connections. */
class FailureTextTest {

  @Test
  void reportsNoRouteIfNettyReportsTheAddressOnly() {
    Throwable unreachable = new NoRouteToHostException("null: /10.77.0.2:4711");
    assertEquals("no route to host: /10.77.0.2:4711", TcpConnection.text(unreachable));
  }

  @Test
  void repeatsTheMessageOfTheSystem() {
    String selectors = "No route to host: /10.77.0.2:4711";
    assertEquals(selectors, TcpConnection.text(new NoRouteToHostException(selectors)));
    assertEquals("Connection refused", TcpConnection.text(new IOException("Connection refused")));
  }

  @Test
  void namesTheClassOfAFailureWithoutAMessage() {
    assertEquals("java.io.IOException", TcpConnection.text(new IOException()));
  }
}
