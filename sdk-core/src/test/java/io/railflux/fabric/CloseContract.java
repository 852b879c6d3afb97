package io.railflux.fabric;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.railflux.fabric.Callback.Kind;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

abstract class CloseContract extends ContractCase {

  private static final int SIZE = 64;

  @BeforeEach
  void connectParties() throws Exception {
    connect();
  }

  @Test
  void closedEndpointReportsNothing() {
    far.receive(1, 0, SIZE);
    for (int i = 0; i < 4; i++) {
      near.send(i, 0, SIZE);
      near.receive(i, 1024, SIZE);
    }
    int before = near.callbacks.count();
    near.endpoint.close();
    fixture.settle();

    assertEquals(before, near.callbacks.count(), () -> near.callbacks.all().toString());
  }

  @Test
  void closedEndpointReportsItsState() {
    near.endpoint.close();
    near.endpoint.close();

    assertEquals(EndpointState.CLOSED, near.endpoint.state());
    assertEquals(PostResult.NOT_READY, near.send(1, 0, SIZE));
    assertEquals(PostResult.NOT_READY, near.receive(1, 0, SIZE));
    near.endpoint.notifyPeer();
    near.endpoint.fence("too late");
    assertEquals(EndpointState.CLOSED, near.endpoint.state());
  }

  /** The caller may reuse the memory for another purpose. */
  @Test
  void changesOfMemoryAfterCloseDoNotArrive() throws Exception {
    int length = 8 << 20;
    Shared shared = share(length, Access.REMOTE_WRITE);
    ByteBuffer source = ByteBuffer.allocateDirect(length);
    LocalMemory local = fixture.local().register(source);
    WorkRequest request = new WorkRequest();
    assertEquals(
        PostResult.POSTED,
        near.endpoint.post(request.write(local, 0, length, shared.attached(), 0).withId(1)));
    near.endpoint.close();
    for (int i = 0; i < length; i++) {
      source.put(i, (byte) 1);
    }
    ByteBuffer landed = shared.exposed().memory().duplicate().clear();
    fixture.settle();

    assertEquals(-1, landed.mismatch(ByteBuffer.allocate(length)));
    local.close();
  }

  @Test
  void drainedEndpointCanBeClosed() {
    near.endpoint.fence("test");
    awaitNearDrained();
    near.endpoint.close();

    assertEquals(EndpointState.CLOSED, near.endpoint.state());
  }

  @Test
  void closeEndsADrain() {
    near.receive(1, 0, SIZE);
    near.endpoint.fence("test");
    int before = near.callbacks.count();
    near.endpoint.close();
    fixture.settle();

    assertEquals(before, near.callbacks.count(), () -> near.callbacks.all().toString());
  }

  @Test
  void sendToAClosedEndpointFails() {
    far.endpoint.close();
    await(() -> near.send(1, 0, SIZE) == PostResult.NOT_READY, "the sender's end");
    awaitNearDrained();
  }

  @Test
  void closeDoesNotAffectOtherEndpoints() throws Exception {
    Endpoint other = near.endpoint;
    connect();
    other.close();
    near.fill(0, SIZE, 4);
    far.receive(1, 0, SIZE);
    near.send(2, 0, SIZE);
    awaitReceives(1);

    assertArrayEquals(Party.patterned(4, SIZE), far.bytes(0, SIZE));
  }

  @Test
  void endpointMayBeClosedInsideItsCallback() throws Exception {
    ClosingListener listener = new ClosingListener();
    try (Fabric.Listening listening =
        fixture.remote().listen(fixture.freeLocation(), far.callbacks)) {
      fixture.local().connect(listening.location(), 1, listener);
      await(() -> listener.endpoint != null, "a connection");
    }
    near.endpoint = listener.endpoint;
    for (int i = 0; i < 4; i++) {
      near.receive(i, 0, SIZE);
    }
    near.endpoint.fence("test");
    fixture.settle();

    assertEquals(1, listener.calls);
    assertEquals(EndpointState.CLOSED, near.endpoint.state());
  }

  @Test
  void closedFabricReportsNothing() throws Exception {
    String location = fixture.freeLocation();
    Fabric.Listening listening = fixture.remote().listen(location, far.callbacks);
    fixture.local().connect(listening.location(), 5, near.callbacks);
    for (int i = 0; i < 4; i++) {
      far.receive(i, 0, SIZE);
      near.send(i, 0, SIZE);
    }
    int before = far.callbacks.count();
    fixture.remote().close();
    fixture.remote().close();
    fixture.settle();

    assertEquals(before, far.callbacks.count());
    assertEquals(EndpointState.CLOSED, far.endpoint.state());
  }

  @Test
  void closedFabricAcceptsNoConnection() throws Exception {
    Fabric.Listening listening = fixture.remote().listen(fixture.freeLocation(), far.callbacks);
    fixture.remote().close();
    int before = near.callbacks.count();
    fixture.local().connect(listening.location(), 5, near.callbacks);
    await(
        () -> near.callbacks.all().stream()
            .skip(before)
            .anyMatch(h -> h.kind() == Kind.CONNECT_FAILED && h.id() == 5),
        "a refusal");
  }

  /** Closes its endpoint at the first callback after the connection. */
  private static final class ClosingListener implements FabricListener {

    private Endpoint endpoint;
    private int calls;

    @Override
    public void onConnected(Endpoint connected, long attempt) {
      endpoint = connected;
    }

    @Override
    public void onConnectFailed(long attempt, String reason) {}

    @Override
    public void onCompletion(Endpoint about, Completion completion) {
      closeNow();
    }

    @Override
    public void onError(Endpoint about, String reason) {
      closeNow();
    }

    @Override
    public void onDrained(Endpoint about) {
      closeNow();
    }

    private void closeNow() {
      calls++;
      endpoint.close();
    }
  }
}
