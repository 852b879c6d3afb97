package io.railflux.fabric.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.fabric.Callback.Kind;
import io.railflux.fabric.Endpoint;
import io.railflux.fabric.Fabric;
import io.railflux.fabric.LocalMemory;
import io.railflux.fabric.RealFixture;
import io.railflux.fabric.RecordingListener;
import io.railflux.fabric.WorkRequest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** With more events than a poll may report, all connections are served in turn. */
class PollLimitTest {

  private static final int CONNECTIONS = 5;
  private static final int REQUESTS = 6;

  private final RecordingListener callbacks = new RecordingListener();

  private List<Endpoint> connections(RealFixture fixture) throws IOException {
    List<Endpoint> endpoints = new ArrayList<>();
    RecordingListener accepted = new RecordingListener();
    try (Fabric.Listening listening = fixture.remote().listen(fixture.freeLocation(), accepted)) {
      for (int i = 1; i <= CONNECTIONS; i++) {
        int count = i;
        fixture.local().connect(listening.location(), i, callbacks);
        assertTrue(fixture.await(() -> callbacks.of(Kind.CONNECTED).size() == count));
      }
    }
    callbacks.of(Kind.CONNECTED).forEach(connected -> endpoints.add(connected.endpoint()));
    callbacks.all().clear();
    return endpoints;
  }

  @Test
  void constantlyReachedLimitStarvesNoConnection() throws IOException {
    try (RealFixture fixture =
        new RealFixture(new TcpFabricProvider(), number -> TcpFabricContractTest.freeLocation())) {
      List<Endpoint> endpoints = connections(fixture);
      LocalMemory memory = fixture.local().register(ByteBuffer.allocateDirect(8));
      for (Endpoint endpoint : endpoints) {
        for (int request = 1; request <= REQUESTS; request++) {
          endpoint.post(new WorkRequest().send(memory, 0, 8).withId(request));
        }
        // All connections end at once, and so does the endpoint.
        endpoint.fence("a test");
      }
      for (int round = 1; round <= REQUESTS; round++) {
        for (int poll = 0; poll < CONNECTIONS; poll++) {
          assertEquals(1, fixture.local().poll(1));
        }
        for (Endpoint endpoint : endpoints) {
          assertEquals(round, callbacks.about(endpoint).size(), callbacks.all()::toString);
        }
      }
    }
  }
}
