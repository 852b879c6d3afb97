package io.railflux.fabric.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.net.NoRouteToHostException;
import org.junit.jupiter.api.Test;

/** Why a connection failed, in words. */
class FailureTextTest {

  @Test
  void saysThatThereIsNoRouteWhereNettyKnowsTheAddressOnly() {
    Throwable unreachable = new NoRouteToHostException("null: /10.77.0.2:4711");
    assertEquals("no route to host: /10.77.0.2:4711", TcpConnection.text(unreachable));
  }

  @Test
  void repeatsWhatTheSystemSaid() {
    String selectors = "No route to host: /10.77.0.2:4711";
    assertEquals(selectors, TcpConnection.text(new NoRouteToHostException(selectors)));
    assertEquals("Connection refused", TcpConnection.text(new IOException("Connection refused")));
  }

  @Test
  void namesTheKindOfWhatHasNoWords() {
    assertEquals("java.io.IOException", TcpConnection.text(new IOException()));
  }
}
