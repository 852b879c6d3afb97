package io.railflux.fabric;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.railflux.fabric.Callback.Kind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

abstract class ConnectionContract extends ContractCase {

  @Test
  void bothEndsOfAConnectionAreReady() throws Exception {
    connect();

    assertEquals(EndpointState.READY, near.endpoint.state());
    assertEquals(EndpointState.READY, far.endpoint.state());
    assertFalse(near.endpoint.remoteDescription().isBlank());
    assertFalse(far.endpoint.remoteDescription().isBlank());
  }

  @Test
  void attemptIsReturnedAndAcceptedEndpointsHaveNone() throws Exception {
    try (Fabric.Listening listening = listen(fixture.freeLocation())) {
      fixture.local().connect(listening.location(), 4711, near.callbacks);
      await(() -> near.callbacks.count() > 0 && far.callbacks.count() > 0, "a connection");
    }

    assertEquals(4711, last(near.callbacks.of(Kind.CONNECTED)).id());
    assertEquals(-1, last(far.callbacks.of(Kind.CONNECTED)).id());
  }

  @Test
  void callbacksRunDuringPollsOnly() throws Exception {
    try (Fabric.Listening listening = listen(fixture.freeLocation())) {
      fixture.local().connect(listening.location(), 1, near.callbacks);
      fixture.local().connect(fixture.deserted(), 2, near.callbacks);

      assertEquals(List.of(), near.callbacks.all());
    }
  }

  @Test
  void connectionWithoutAListenerFailsWithAReason() {
    fixture.local().connect(fixture.deserted(), 7, near.callbacks);

    await(() -> near.callbacks.count() > 0, "a refusal");
    Callback answer = near.callbacks.all().get(0);
    assertEquals(Kind.CONNECT_FAILED, answer.kind());
    assertEquals(7, answer.id());
    assertFalse(answer.reason().isBlank());
  }

  @Test
  void eachAttemptIsAnsweredExactlyOnce() throws Exception {
    try (Fabric.Listening listening = listen(fixture.freeLocation())) {
      fixture.local().connect(listening.location(), 1, near.callbacks);
      fixture.local().connect(fixture.deserted(), 2, near.callbacks);
      fixture.local().connect(listening.location(), 3, near.callbacks);
      await(() -> near.callbacks.count() >= 3, "three answers");
      fixture.settle();
    }

    assertEquals(3, near.callbacks.count(), () -> near.callbacks.all().toString());
    assertEquals(2, last(near.callbacks.of(Kind.CONNECT_FAILED)).id());
  }

  @Test
  void rejectsALocationInUse() throws Exception {
    try (Fabric.Listening listening = listen(fixture.freeLocation())) {
      String taken = listening.location();

      IOException refusal = assertThrows(IOException.class, () -> listen(taken));
      assertFalse(refusal.getMessage().isBlank());
    }
  }

  @Test
  void rejectsAnEmptyLocation() {
    assertThrows(IOException.class, () -> listen(""));
  }

  @Test
  void closeFreesTheLocation() throws Exception {
    Fabric.Listening first = listen(fixture.freeLocation());
    String location = first.location();
    first.close();
    first.close();

    try (Fabric.Listening second = listen(location)) {
      connectTo(second.location());
    }
  }

  @Test
  void closedListenerAcceptsNoConnection() throws Exception {
    Fabric.Listening listening = listen(fixture.freeLocation());
    listening.close();
    fixture.local().connect(listening.location(), 9, near.callbacks);

    await(() -> near.callbacks.count() > 0, "a refusal");
    assertEquals(Kind.CONNECT_FAILED, near.callbacks.all().get(0).kind());
  }

  @Test
  void acceptedEndpointsOutliveTheListener() throws Exception {
    connect();
    far.receive(1, 0, 64);
    near.fill(0, 64, 5);
    near.send(2, 0, 64);

    awaitReceives(1);
    assertArrayEquals(Party.patterned(5, 64), far.bytes(0, 64));
  }

  @Test
  void manyEndpointsDoNotMixTheirMessages() throws Exception {
    List<Endpoint> nearEnds = new ArrayList<>();
    List<Endpoint> farEnds = new ArrayList<>();
    try (Fabric.Listening listening = listen(fixture.freeLocation())) {
      for (int i = 0; i < 12; i++) {
        connectTo(listening.location());
        nearEnds.add(near.endpoint);
        farEnds.add(far.endpoint);
      }
    }
    for (int i = 0; i < 12; i++) {
      far.endpoint = farEnds.get(i);
      near.endpoint = nearEnds.get(i);
      far.receive(i, i * 64, 64);
      near.fill(i * 64, 64, i);
      near.send(100 + i, i * 64, 64);
    }
    awaitReceives(12);

    for (int i = 0; i < 12; i++) {
      assertArrayEquals(Party.patterned(i, 64), far.bytes(i * 64, 64));
      Endpoint expected = farEnds.get(i);
      long id = i;
      assertEquals(
          List.of(expected),
          far.callbacks.receives().stream()
              .filter(h -> h.id() == id)
              .map(Callback::endpoint)
              .toList());
    }
  }

  @Test
  void idsOfEndpointsAreNeverUsedAgain() throws Exception {
    TreeSet<Long> ids = new TreeSet<>();
    for (int i = 0; i < 4; i++) {
      connect();
      ids.add(near.endpoint.id());
      near.endpoint.close();
      far.endpoint.close();
    }

    assertEquals(4, ids.size());
  }

  private Fabric.Listening listen(String location) throws IOException {
    return fixture.remote().listen(location, far.callbacks);
  }
}
