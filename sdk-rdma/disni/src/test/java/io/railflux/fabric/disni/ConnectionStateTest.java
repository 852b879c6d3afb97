package io.railflux.fabric.disni;

import static io.railflux.fabric.disni.ConnectionState.ACCEPTING;
import static io.railflux.fabric.disni.ConnectionState.CONNECTING;
import static io.railflux.fabric.disni.ConnectionState.ESTABLISHED;
import static io.railflux.fabric.disni.ConnectionState.GONE;
import static io.railflux.fabric.disni.ConnectionState.GREETING;
import static io.railflux.fabric.disni.ConnectionState.QUEUED;
import static io.railflux.fabric.disni.ConnectionState.RESOLVING_ADDRESS;
import static io.railflux.fabric.disni.ConnectionState.RESOLVING_ROUTE;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ConnectionStateTest {

  @Test
  void allowsTheseTransitionsOnly() {
    Map<ConnectionState, Set<ConnectionState>> allowed = Map.of(
        QUEUED, EnumSet.of(RESOLVING_ADDRESS, GONE),
        RESOLVING_ADDRESS, EnumSet.of(RESOLVING_ROUTE, GONE),
        RESOLVING_ROUTE, EnumSet.of(CONNECTING, GONE),
        CONNECTING, EnumSet.of(GREETING, GONE),
        ACCEPTING, EnumSet.of(GREETING, GONE),
        GREETING, EnumSet.of(ESTABLISHED, GONE),
        ESTABLISHED, EnumSet.noneOf(ConnectionState.class),
        GONE, EnumSet.noneOf(ConnectionState.class));
    for (ConnectionState from : ConnectionState.values()) {
      for (ConnectionState to : ConnectionState.values()) {
        assertEquals(allowed.get(from).contains(to), from.canBecome(to), from + " -> " + to);
      }
    }
  }
}
