package io.railflux.fabric.shm;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.fabric.Access;
import io.railflux.fabric.Completion;
import io.railflux.fabric.Endpoint;
import io.railflux.fabric.EndpointState;
import io.railflux.fabric.ExposedRegion;
import io.railflux.fabric.Fabric;
import io.railflux.fabric.LocalMemory;
import io.railflux.fabric.PostResult;
import io.railflux.fabric.RemoteAccessException;
import io.railflux.fabric.RemoteRegion;
import io.railflux.fabric.WorkRequest;
import io.railflux.fabric.shm.memory.ShmLane;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Behavior beyond the contract of all fabrics. */
@EnabledOnOs(value = OS.LINUX, disabledReason = "shared memory needs Linux")
class ShmEndpointTest {

  private final WorkRequest request = new WorkRequest();
  private Rig rig;
  private LocalMemory nearMemory;
  private LocalMemory farMemory;

  @BeforeEach
  void open() throws IOException {
    rig = new Rig();
    rig.connect();
    nearMemory = rig.near.register(ByteBuffer.allocateDirect(64 * 1024));
    farMemory = rig.far.register(ByteBuffer.allocate(64 * 1024));
  }

  @AfterEach
  void close() throws IOException {
    rig.close();
  }

  @Test
  void linkHasNoNameAfterBothSidesMappedIt() throws IOException {
    assertEquals(List.of(), rig.files());
  }

  /** Neither requests nor sleep are needed. The fabric checks for ended processes once per millisecond. */
  @Test
  void endOfTheOtherProcessIsReportedWithinAMillisecondOfTheFabricClock() throws Exception {
    ChildProcess child = ChildProcess.listening(rig.base, "child");
    rig.near.connect("child", 2, rig.nearEars);
    rig.await(() -> rig.nearEars.connected.size() == 2);
    child.kill();
    child.exitCode();

    rig.nearLoop.advance(1_000_000);
    rig.near.poll(64);

    assertEquals(List.of("peer process " + child.pid() + " ended"), rig.nearEars.errors);
    assertTrue(rig.nearEnd().peerGone());
  }

  @Test
  void regionHasNoNameAfterItIsAttached() throws Exception {
    ExposedRegion region = rig.farEnd().expose(100, Access.REMOTE_ALL);
    assertEquals(1, rig.files().size());
    rig.nearEnd().attach(region.key(), 100);

    assertEquals(List.of(), rig.files());
  }

  @Test
  void regionAttachedTwiceStaysMappedUntilBothAreClosed() throws Exception {
    ExposedRegion region = rig.farEnd().expose(100, Access.REMOTE_ALL);
    RemoteRegion first = rig.nearEnd().attach(region.key(), 100);
    RemoteRegion second = rig.nearEnd().attach(region.key(), 100);

    first.close();
    first.close();
    second.mapped().put(99, (byte) 7);
    assertEquals(7, region.memory().get(99));
    second.close();
    assertThrows(RemoteAccessException.class, () -> rig.nearEnd().attach(region.key(), 100));
  }

  @Test
  void revokedRegionCannotBeAttachedAgain() throws Exception {
    ExposedRegion region = rig.farEnd().expose(100, Access.REMOTE_ALL);
    rig.nearEnd().attach(region.key(), 100);
    region.close();

    assertThrows(RemoteAccessException.class, () -> rig.nearEnd().attach(region.key(), 100));
  }

  @Test
  void rejectsAWrongLengthWithoutUsingTheKey() throws Exception {
    ExposedRegion region = rig.farEnd().expose(5000, Access.REMOTE_ALL);

    for (int length : new int[] {-1, 0, 4999, 5001, 50_000, Integer.MAX_VALUE}) {
      assertThrows(RemoteAccessException.class, () -> rig.nearEnd().attach(region.key(), length));
    }
    assertDoesNotThrow(() -> rig.nearEnd().attach(region.key(), 5000));
  }

  @Test
  void ownerCannotAttachItsRegion() {
    ExposedRegion region = rig.farEnd().expose(100, Access.REMOTE_ALL);

    assertThrows(RemoteAccessException.class, () -> rig.farEnd().attach(region.key(), 100));
  }

  @Test
  void mappedMemoryOfAReadOnlyRegionIsReadOnly() throws Exception {
    ExposedRegion region = rig.farEnd().expose(100, Access.REMOTE_READ);
    RemoteRegion attached = rig.nearEnd().attach(region.key(), 100);

    assertTrue(attached.mapped().isReadOnly());
    assertEquals(0, attached.mapped().alignmentOffset(0, 64));
    assertEquals(0, region.memory().alignmentOffset(0, 64));
  }

  @Test
  void closedRegionsAreRemovedFromTheDirectory() throws IOException {
    ExposedRegion region = rig.farEnd().expose(100, Access.REMOTE_ALL);
    region.close();
    region.close();

    assertEquals(List.of(), rig.files());
    assertThrows(IllegalStateException.class, region::memory);
  }

  @Test
  void limitsOfTheHoldersBufferHaveNoEffect() {
    nearMemory.memory().limit(0);
    farMemory.memory().limit(0);
    rig.farEnd().postReceive(7, farMemory, 100, 50);
    rig.nearEnd().post(request.send(nearMemory, 1000, 50).withId(8));

    rig.await(() -> rig.farEars.completed.contains("RECEIVE#7 SUCCESS 50 B"));
  }

  @Test
  void memoryClosedAfterPostingAReceiveIsNotTouched() {
    rig.farEnd().postReceive(7, farMemory, 0, 50);
    farMemory.close();
    rig.nearEnd().post(request.send(nearMemory, 0, 50).withId(8));

    rig.await(() -> rig.farEars.drained.size() == 1);
    assertEquals(List.of("RECEIVE#7 LOCAL_PROTECTION 0 B"), rig.farEars.completed);
  }

  @Test
  void invalidReceiveFailsImmediately() {
    LocalMemory readOnly = rig.far.register(ByteBuffer.allocate(8).asReadOnlyBuffer());
    assertEquals(PostResult.POSTED, rig.farEnd().postReceive(7, readOnly, 0, 8));

    rig.await(() -> rig.farEars.drained.size() == 1);
    assertEquals(List.of("RECEIVE#7 LOCAL_PROTECTION 0 B"), rig.farEars.completed);
  }

  @Test
  void messagesSentBeforeTheCloseAreReceived() {
    for (int i = 0; i < 3; i++) {
      rig.farEnd().postReceive(i, farMemory, 0, 50);
      rig.nearEnd().post(request.send(nearMemory, 0, 10 + i));
    }
    rig.nearEnd().close();
    rig.await(() -> rig.farEars.drained.size() == 1);

    assertEquals(
        List.of("RECEIVE#0 SUCCESS 10 B", "RECEIVE#1 SUCCESS 11 B", "RECEIVE#2 SUCCESS 12 B"),
        rig.farEars.completed);
    String reason = "peer process " + ProcessHandle.current().pid() + " closed the connection";
    assertEquals(List.of(reason), rig.farEars.errors);
    assertFalse(rig.farEnd().peerGone());
  }

  @Test
  void invalidMailboxContentEndsThatEndpointOnly() throws Exception {
    Endpoint honest = rig.nearEnd();
    Endpoint honestPeer = rig.farEnd();
    rig.connect();
    rig.farEnd().postReceive(1, farMemory, 0, 50);
    // Simulates a hostile process with a mapping of the link.
    ShmLane lane = outgoing(rig.nearEnd());
    lane.memory().putInt(lane.mailbox(), 99);
    lane.publishTail(16);
    rig.await(() -> rig.farEars.drained.contains(rig.farEnd()));

    assertTrue(rig.farEars.errors.get(0).contains("protocol violation"), rig.farEars.errors.get(0));
    assertEquals(List.of("RECEIVE#1 FLUSHED 0 B"), rig.farEars.completed);
    assertNotSame(honestPeer, rig.farEnd());
    honestPeer.postReceive(2, farMemory, 0, 50);
    honest.post(request.send(nearMemory, 0, 20));
    rig.await(() -> rig.farEars.completed.contains("RECEIVE#2 SUCCESS 20 B"));
  }

  @Test
  void hostileHeadEndsTheEndpointOfTheSender() throws Exception {
    outgoing(rig.nearEnd()).publishHead(-1);
    PostResult result = PostResult.POSTED;
    for (int i = 0; i < 10 && result == PostResult.POSTED; i++) {
      result = rig.nearEnd().post(request.send(nearMemory, 0, 16 * 1024));
    }

    assertEquals(PostResult.NOT_READY, result);
    rig.await(() -> rig.nearEars.drained.size() == 1);
    assertEquals(List.of("SEND#0 FLUSHED 0 B"), rig.nearEars.completed);
  }

  @Test
  void spaceInAFullMailboxWakesTheSender() {
    while (rig.nearEnd().post(request.send(nearMemory, 0, 16 * 1024)) == PostResult.POSTED) {}
    rig.near.arm();
    rig.near.poll(16);
    assertFalse(rig.nearLoop.sleep(20));
    rig.farEnd().postReceive(1, farMemory, 0, 16 * 1024);
    rig.far.poll(16);

    assertTrue(rig.nearLoop.sleep(5000));
    assertEquals(PostResult.POSTED, rig.nearEnd().post(request.send(nearMemory, 0, 16 * 1024)));
  }

  @Test
  void doorbellReadBetweenArmingAndSleepPreventsTheSleep() {
    rig.far.arm();
    rig.nearEnd().notifyPeer();
    // Another fabric of the same engine may poll all watched channels at this moment.
    rig.farLoop.pollIo();

    assertTrue(rig.farLoop.sleep(5000));
  }

  @Test
  void throwingListenerLosesItsEndpoint() throws IOException {
    Ears throwing = new Ears() {
      @Override
      public void onCompletion(Endpoint endpoint, Completion completion) {
        throw new IllegalStateException("a bug of the listener");
      }
    };
    try (Fabric.Listening listening = rig.far.listen("throwing", throwing)) {
      rig.near.connect(listening.location(), 2, rig.nearEars);
      rig.await(() -> !throwing.connected.isEmpty() && rig.nearEars.connected.size() == 2);
    }
    throwing.connected.get(0).postReceive(1, farMemory, 0, 50);
    rig.nearEnd().post(request.send(nearMemory, 0, 20));
    rig.await(() -> throwing.connected.get(0).state() == EndpointState.CLOSED);

    assertEquals(EndpointState.READY, rig.farEnd().state());
  }

  @Test
  void failedEndpointExposesNothing() {
    rig.farEnd().fence("test");

    assertThrows(IllegalStateException.class, () -> rig.farEnd().expose(100, Access.REMOTE_ALL));
    assertThrows(RemoteAccessException.class, () -> rig.farEnd().attach(1, 100));
    assertThrows(IllegalArgumentException.class, () -> rig.nearEnd().expose(0, Access.REMOTE_ALL));
  }

  @Test
  void fencedPeerIsNotified() {
    rig.farEnd().fence("suspected");
    rig.await(() -> rig.nearEars.drained.size() == 1);

    String reason = "peer process " + ProcessHandle.current().pid() + " fenced the endpoint";
    assertEquals(List.of(reason), rig.nearEars.errors);
    assertFalse(rig.nearEnd().peerGone());
  }

  @Test
  void closedFabricLeavesNoFile() throws Exception {
    rig.far.listen("again", rig.farEars);
    rig.farEnd().expose(100, Access.REMOTE_ALL);
    rig.near.connect("again", 5, rig.nearEars);
    rig.far.close();
    rig.near.close();

    assertEquals(List.of(), rig.files());
  }

  private static ShmLane outgoing(Endpoint endpoint) throws ReflectiveOperationException {
    java.lang.reflect.Field link = ShmEndpoint.class.getDeclaredField("link");
    link.setAccessible(true);
    return ((Link) link.get(endpoint)).outgoing();
  }
}
