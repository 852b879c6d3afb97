package io.railflux.fabric.disni;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.exceptions.FabricUnavailableException;
import io.railflux.fabric.Access;
import io.railflux.fabric.Callback;
import io.railflux.fabric.Callback.Kind;
import io.railflux.fabric.CompletionStatus;
import io.railflux.fabric.Endpoint;
import io.railflux.fabric.EndpointState;
import io.railflux.fabric.ExposedRegion;
import io.railflux.fabric.Fabric;
import io.railflux.fabric.LocalMemory;
import io.railflux.fabric.PostResult;
import io.railflux.fabric.RecordingListener;
import io.railflux.fabric.WorkRequest;
import io.railflux.fabric.disni.queue.Nudges;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Behavior of this fabric beyond the contract. */
class DisniFabricTest {

  private final RecordingListener near = new RecordingListener();
  private final RecordingListener far = new RecordingListener();
  private FakeFixture fixture;

  @BeforeEach
  void open() throws IOException {
    fixture = new FakeFixture();
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void choosesAPortIfNoneIsGiven() throws IOException {
    try (Fabric.Listening listening = fixture.remote().listen("10.0.0.1:0", far)) {
      assertTrue(listening.location().matches("10\\.0\\.0\\.1:[1-9]\\d+"), listening::location);
    }
  }

  @Test
  void rejectsAnAddressWithoutADeviceByName() {
    IOException refusal =
        assertThrows(IOException.class, () -> fixture.remote().listen("192.0.2.1:7000", far));
    assertTrue(refusal.getMessage().contains("192.0.2.1:7000"), refusal.getMessage());
  }

  @Test
  void connectionToAnUnreachableAddressFails() {
    fixture.local().connect("192.0.2.1:7000", 1, near);
    assertTrue(fixture.await(() -> near.count() == 1));
    assertTrue(near.all().get(0).reason().contains("192.0.2.1:7000"), near.all()::toString);
  }

  @Test
  void malformedLocationFailsTheAttempt() {
    fixture.local().connect("nowhere", 1, near);
    assertTrue(fixture.await(() -> near.count() == 1));
    assertEquals(Kind.CONNECT_FAILED, near.all().get(0).kind());
  }

  @Test
  void describesTheOtherEndByItsAddress() throws IOException {
    List<Endpoint> ends = connect("10.0.0.1:7100");
    assertEquals("10.0.0.1:7100", ends.get(0).remoteDescription());
    assertEquals("10.0.0.1", ends.get(0).remoteHost());
    assertEquals("10.0.0.1", ends.get(1).remoteHost());
  }

  @Test
  void oneFabricUsesSeveralDevices() throws IOException {
    List<Endpoint> first = connect("10.0.0.1:7100");
    List<Endpoint> second = connect("10.0.1.1:7100");
    assertEquals(4, fixture.rdma().alive("completion queue"));
    exchange(first);
    exchange(second);
  }

  @Test
  void endpointsShareACompletionQueueUntilItIsFull() throws IOException {
    TreeSet<Long> ids = new TreeSet<>();
    for (int i = 0; i < 60; i++) {
      ids.add(connect("10.0.0.1:7100").get(0).id());
    }
    assertEquals(60, ids.size());
    assertEquals(4, fixture.rdma().alive("completion queue"));
  }

  @Test
  void memoryIsRegisteredOnceForEachEndpointThatUsesIt() throws IOException {
    List<Endpoint> ends = connect("10.0.0.1:7100");
    int before = fixture.rdma().alive("memory region");
    LocalMemory memory = fixture.local().register(ByteBuffer.allocateDirect(4096));
    assertEquals(before, fixture.rdma().alive("memory region"));
    for (int i = 0; i < 3; i++) {
      ends.get(0).post(new WorkRequest().send(memory, 0, 8).withId(i));
    }
    assertEquals(before + 1, fixture.rdma().alive("memory region"));
    memory.close();
    assertEquals(before, fixture.rdma().alive("memory region"));
  }

  @Test
  void onlyDirectBuffersAreRegistered() {
    assertThrows(
        IllegalArgumentException.class, () -> fixture.local().register(ByteBuffer.allocate(64)));
  }

  @Test
  void lockedMemoryIsExhaustedDuringAnExposure() throws IOException {
    List<Endpoint> ends = connect("10.0.0.1:7100");
    ((FakeVerbs) fixture.rdma().openVerbs()).lockedMemoryExhausted = true;
    FabricUnavailableException refusal = assertThrows(
        FabricUnavailableException.class, () -> ends.get(0).expose(4096, Access.REMOTE_ALL));
    assertTrue(refusal.remedy().contains("ulimit -l"), refusal::remedy);
    assertEquals(EndpointState.READY, ends.get(0).state());
  }

  @Test
  void lockedMemoryIsExhaustedDuringAConnection() throws IOException {
    ((FakeVerbs) fixture.rdma().openVerbs()).lockedMemoryExhausted = true;
    try (Fabric.Listening listening = fixture.remote().listen("10.0.0.1:7100", far)) {
      fixture.local().connect(listening.location(), 1, near);
      assertTrue(fixture.await(() -> near.count() == 1));
    }
    assertTrue(near.all().get(0).reason().contains("Cannot allocate memory"), near.all()::toString);
  }

  @Test
  void lockedMemoryIsExhaustedDuringAPost() throws IOException {
    List<Endpoint> ends = connect("10.0.0.1:7100");
    ((FakeVerbs) fixture.rdma().openVerbs()).lockedMemoryExhausted = true;
    LocalMemory memory = fixture.local().register(ByteBuffer.allocateDirect(64));
    ends.get(0).post(new WorkRequest().send(memory, 0, 8).withId(7));
    assertTrue(fixture.await(() -> near.drained(ends.get(0))));
    assertEquals(CompletionStatus.LOCAL_PROTECTION, near.requests().get(0).status());
    assertTrue(near.of(Kind.ERROR).get(0).reason().contains("ulimit -l"));
  }

  @Test
  void revokedRegionRemainsReadableUntilTheEndpointIsClosed() throws IOException {
    Endpoint end = connect("10.0.0.1:7100").get(0);
    ExposedRegion region = end.expose(64, Access.REMOTE_WRITE);
    end.fence("test");
    assertTrue(fixture.await(() -> near.drained(end)));
    assertEquals(0, region.memory().get(0));
    end.close();
    assertThrows(IllegalStateException.class, region::memory);
  }

  @Test
  void messagesOfADisconnectedPeerAreStillDelivered() throws IOException {
    List<Endpoint> ends = connect("10.0.0.1:7100");
    LocalMemory memory = fixture.local().register(ByteBuffer.allocateDirect(64));
    LocalMemory into = fixture.remote().register(ByteBuffer.allocateDirect(64));
    ends.get(1).postReceive(1, into, 0, 64);
    ends.get(0).post(new WorkRequest().send(memory, 0, 8).withId(1));
    ends.get(0).close();
    assertTrue(fixture.await(() -> far.drained(ends.get(1))));
    Callback first = far.about(ends.get(1)).get(1);
    assertEquals(CompletionStatus.SUCCESS, first.status());
  }

  @Test
  void notificationNeverWaitsForAReceive() throws IOException {
    List<Endpoint> ends = connect("10.0.0.1:7100");
    for (int i = 0; i < 10 * Nudges.LIMIT; i++) {
      ends.get(0).notifyPeer();
    }
    fixture.settle();
    assertSame(EndpointState.READY, ends.get(0).state());
    fixture.remote().arm();
    ends.get(0).notifyPeer();
    assertTrue(fixture.sleep(fixture.remote()));
  }

  /** Connects, and returns the connecting and the accepted endpoint. */
  private List<Endpoint> connect(String location) throws IOException {
    int before = far.of(Kind.CONNECTED).size();
    List<Endpoint> ends = new ArrayList<>();
    try (Fabric.Listening listening = fixture.remote().listen(location, far)) {
      fixture.local().connect(listening.location(), before, near);
      assertTrue(fixture.await(() ->
          far.of(Kind.CONNECTED).size() > before && near.of(Kind.CONNECTED).size() > before));
    }
    ends.add(near.of(Kind.CONNECTED).get(before).endpoint());
    ends.add(far.of(Kind.CONNECTED).get(before).endpoint());
    return ends;
  }

  private void exchange(List<Endpoint> ends) {
    LocalMemory memory = fixture.local().register(ByteBuffer.allocateDirect(64));
    LocalMemory into = fixture.remote().register(ByteBuffer.allocateDirect(64));
    int before = far.receives().size();
    ends.get(1).postReceive(1, into, 0, 64);
    assertEquals(
        PostResult.POSTED, ends.get(0).post(new WorkRequest().send(memory, 0, 8).withId(1)));
    assertTrue(fixture.await(() -> far.receives().size() > before));
  }
}
