package io.railflux.fabric;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.railflux.fabric.Callback.Kind;
import io.railflux.fabric.Capabilities.Feature;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

abstract class ErrorContract extends ContractCase {

  private static final int SIZE = 64;
  private static final long DEATH_BOUND_NANOS = 100_000_000;

  @BeforeEach
  void connectParties() throws Exception {
    connect();
  }

  @Test
  void everyOutstandingRequestCompletesInOrder() {
    postSendsAndReceives(5);
    near.endpoint.fence("test");
    awaitNearDrained();

    assertEquals(numbers(5), RecordingListener.ids(near.callbacks.requests()));
    assertEquals(numbers(5), RecordingListener.ids(near.callbacks.receives()));
    near.callbacks.receives().forEach(h -> assertEquals(CompletionStatus.FLUSHED, h.status()));
  }

  @Test
  void errorIsReportedOnceWithItsReason() {
    near.endpoint.fence("because of the test");
    near.endpoint.fence("and once more");
    awaitNearDrained();
    fixture.settle();

    List<Callback> errors = near.callbacks.of(Kind.ERROR);
    assertEquals(1, errors.size());
    assertEquals("because of the test", errors.get(0).reason());
    assertEquals(1, near.callbacks.of(Kind.DRAINED).size());
  }

  @Test
  void failedEndpointExposesNoMemory() {
    near.endpoint.fence("test");

    assertThrows(IllegalStateException.class, () -> near.endpoint.expose(SIZE, Access.REMOTE_ALL));
    awaitNearDrained();
    assertThrows(IllegalStateException.class, () -> near.endpoint.expose(SIZE, Access.REMOTE_ALL));
    near.endpoint.close();
    assertThrows(IllegalStateException.class, () -> near.endpoint.expose(SIZE, Access.REMOTE_ALL));
  }

  @Test
  void drainedIsTheLastCallback() {
    postSendsAndReceives(5);
    near.endpoint.fence("test");
    awaitNearDrained();
    fixture.settle();

    List<Callback> about = near.callbacks.about(near.endpoint);
    assertEquals(Kind.DRAINED, last(about).kind());
    assertTrue(about.stream().anyMatch(h -> h.kind() == Kind.ERROR));
  }

  @Test
  void failedEndpointRejectsRequests() {
    near.endpoint.fence("test");

    assertNotEquals(EndpointState.READY, near.endpoint.state());
    assertEquals(PostResult.NOT_READY, near.send(1, 0, SIZE));
    assertEquals(PostResult.NOT_READY, near.receive(1, 0, SIZE));
    awaitNearDrained();
    assertEquals(PostResult.NOT_READY, near.send(1, 0, SIZE));
    assertEquals(PostResult.NOT_READY, near.receive(1, 0, SIZE));
  }

  @Test
  void fencingRunsNoCallbackInline() {
    int before = near.callbacks.count();
    postSendsAndReceives(2);
    near.endpoint.fence("test");

    assertEquals(before, near.callbacks.count());
  }

  @Test
  void failureOfAnUnsignaledRequestIsReported() throws Exception {
    Shared shared = share(1024, Access.REMOTE_READ);
    WorkRequest request = new WorkRequest().write(near.memory, 0, 8, shared.attached(), 0);
    request.id = 55;
    near.post(request);
    awaitNearDrained();

    assertEquals(List.of(55L), RecordingListener.ids(near.callbacks.requests()));
    assertEquals(
        CompletionStatus.REMOTE_ACCESS, near.callbacks.requests().get(0).status());
  }

  @Test
  void sendBeyondItsReceiveFailsWithoutOverflow() {
    near.fill(0, 128, 1);
    far.receive(1, 0, SIZE);
    near.send(2, 0, 128);
    await(
        () -> !near.callbacks.requests().isEmpty() || !far.callbacks.receives().isEmpty(),
        "an end");
    await(
        () -> near.callbacks.drained(near.endpoint) || far.callbacks.drained(far.endpoint),
        "an error");
    fixture.settle();

    assertArrayEquals(new byte[SIZE], far.bytes(SIZE, SIZE));
    assertTrue(
        far.callbacks.receives().stream().noneMatch(h -> h.status() == CompletionStatus.SUCCESS));
  }

  @Test
  void errorDoesNotAffectOtherEndpoints() throws Exception {
    Endpoint broken = near.endpoint;
    connect();
    broken.fence("test");
    await(() -> near.callbacks.drained(broken), "draining");
    near.fill(0, SIZE, 5);
    far.receive(1, 0, SIZE);
    near.send(2, 0, SIZE);
    awaitReceives(1);

    assertEquals(EndpointState.READY, near.endpoint.state());
    assertArrayEquals(Party.patterned(5, SIZE), far.bytes(0, SIZE));
  }

  @Test
  void exposedMemoryCanBeReadUntilTheEndpointIsClosed() throws Exception {
    Shared shared = share(1024, Access.REMOTE_ALL);
    near.fill(0, SIZE, 7);
    near.write(1, 0, SIZE, shared.attached(), 0);
    far.receive(2, 1024, SIZE);
    near.send(3, 0, SIZE);
    awaitReceives(1);
    far.endpoint.fence("test");
    await(() -> far.callbacks.drained(far.endpoint), "draining");

    assertArrayEquals(Party.patterned(7, SIZE), shared.bytes(0, SIZE));
  }

  @Test
  void trafficDetectsTheDeathOfThePeer() throws Exception {
    killPeerWithRequestsOutstanding();
    awaitNearDrained();

    assertEquals(numbers(3), RecordingListener.ids(near.callbacks.requests()));
    assertNothingSucceedsAfterAFailure();
    assertFalse(near.callbacks.of(Kind.ERROR).get(0).reason().isBlank());
  }

  @Test
  void deathOfASilentPeerIsReportedInTime() throws Exception {
    assumeDeclared(Feature.PEER_DEATH_REPORTED);
    FabricFixture.Victim victim = fixture.victim();
    near.endpoint = connectNear(victim.location());
    long killedAt = fixture.nowNanos();
    victim.kill();
    await(() -> !near.callbacks.of(Kind.ERROR).isEmpty(), "the report");

    long tookNanos = fixture.nowNanos() - killedAt;
    // A real machine may be busy for that long.
    assertTrue(
        tookNanos <= DEATH_BOUND_NANOS || !fixture.isSimulated(),
        () -> "reported after " + tookNanos + " ns");
    assertTrue(near.endpoint.peerGone());
    awaitNearDrained();
    assertTrue(near.endpoint.peerGone());
  }

  @Test
  void deathOfThePeerIsKnownAtAFailedEndpoint() throws Exception {
    assumeDeclared(Feature.PEER_DEATH_REPORTED);
    FabricFixture.Victim victim = fixture.victim();
    near.endpoint = connectNear(victim.location());
    near.endpoint.fence("test");
    awaitNearDrained();
    fixture.settle();
    assertFalse(near.endpoint.peerGone());

    victim.kill();

    await(near.endpoint::peerGone, "the end of the process");
    assertEquals(1, near.callbacks.of(Kind.ERROR).size());
  }

  @Test
  void fabricWithoutDeathReportsNeverReportsADeath() throws Exception {
    assumeFalse(
        declares(Feature.PEER_DEATH_REPORTED),
        () -> fixture.local().name() + " declares " + Feature.PEER_DEATH_REPORTED);
    killPeerWithRequestsOutstanding();
    awaitNearDrained();
    fixture.settle();

    assertFalse(near.endpoint.peerGone());
  }

  @Test
  void failedEndpointIsNotReportedAsADeath() {
    far.endpoint.fence("test");
    fixture.settle();
    near.send(1, 0, SIZE);
    fixture.settle();

    assertFalse(near.endpoint.peerGone());
    assertFalse(far.endpoint.peerGone());
  }

  @Test
  void closedEndpointIsNotReportedAsADeath() {
    far.endpoint.close();
    await(() -> near.send(1, 0, SIZE) == PostResult.NOT_READY, "the sender's end");
    awaitNearDrained();

    assertFalse(near.endpoint.peerGone());
  }

  /** Requests that reached the peer's memory or device before the end may have succeeded without being received. */
  private void assertNothingSucceedsAfterAFailure() {
    List<CompletionStatus> behind = near.callbacks.requests().stream()
        .map(Callback::status)
        .dropWhile(status -> status == CompletionStatus.SUCCESS)
        .toList();
    assertFalse(
        behind.contains(CompletionStatus.SUCCESS),
        () -> near.callbacks.requests().toString());
  }

  private void killPeerWithRequestsOutstanding() throws Exception {
    FabricFixture.Victim victim = fixture.victim();
    near.endpoint = connectNear(victim.location());
    for (int i = 0; i < 3; i++) {
      near.send(i, 0, SIZE);
    }
    victim.kill();
  }

  private void postSendsAndReceives(int count) {
    for (int i = 0; i < count; i++) {
      near.send(i, 0, SIZE);
      near.receive(i, 4096, SIZE);
    }
  }

  private static List<Long> numbers(int count) {
    return LongStream.range(0, count).boxed().toList();
  }
}
