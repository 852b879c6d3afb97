package io.railflux.fabric.base;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.fabric.Endpoint;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class PollRotationTest {

  private final PollRotation<Endpoint> rotation = new PollRotation<>(new Endpoint[0]);
  private final Endpoint a = endpoint("a");
  private final Endpoint b = endpoint("b");
  private final Endpoint c = endpoint("c");
  private final List<String> closed = new ArrayList<>();

  private Endpoint endpoint(String name) {
    return (Endpoint) Proxy.newProxyInstance(
        Endpoint.class.getClassLoader(),
        new Class<?>[] {Endpoint.class},
        (proxy, method, arguments) -> switch (method.getName()) {
          case "remoteDescription", "toString" -> name;
          case "close" -> {
            closed.add(name);
            yield null;
          }
          default -> throw new UnsupportedOperationException(method.getName());
        });
  }

  /** Polls endpoints that deliver one event each, up to a limit. */
  private String poll(int limit) {
    StringBuilder polled = new StringBuilder();
    rotation.begin();
    int room = limit;
    Endpoint next = room == 0 ? null : rotation.next(room);
    while (next != null) {
      polled.append(next);
      room--;
      next = room == 0 ? null : rotation.next(room);
    }
    return polled.toString();
  }

  @Test
  void visitsEachEndpointOnce() {
    Arrays.asList(a, b, c).forEach(rotation::add);

    assertEquals("abc", poll(10));
    assertNull(rotation.next(1));
    assertEquals("abc", poll(10));
  }

  @Test
  void aReachedLimitStarvesNobody() {
    Arrays.asList(a, b, c).forEach(rotation::add);

    assertEquals("ab", poll(2));
    assertEquals("ca", poll(2));
    assertEquals("bc", poll(2));
  }

  @Test
  void aVisitWithoutRoomDoesNotCount() {
    Arrays.asList(a, b, c).forEach(rotation::add);
    rotation.begin();
    rotation.next(1);
    rotation.next(0);
    rotation.next(0);

    assertEquals("bca", poll(3));
  }

  @Test
  void aPollVisitsTheEndpointsOfItsBegin() {
    rotation.add(a);
    rotation.add(b);
    rotation.begin();
    rotation.remove(b);
    rotation.add(c);

    assertSame(a, rotation.next(1));
    assertSame(b, rotation.next(1));
    assertNull(rotation.next(1));
    assertEquals("ac", poll(3));
  }

  @Test
  void removesOnlyTheGivenEndpoint() {
    Arrays.asList(a, b, c).forEach(rotation::add);
    rotation.remove(b);
    rotation.remove(b);

    assertEquals("[a, c]", Arrays.toString(rotation.all()));
    assertEquals(2, rotation.size());
    rotation.remove(a);
    rotation.remove(c);
    assertEquals("", poll(1));
  }

  @Test
  void closesWhatThrew() {
    assertEquals(1, rotation.closeFaulty(a, new IllegalStateException("expected by this test")));
    assertTrue(closed.contains("a"));
  }
}
