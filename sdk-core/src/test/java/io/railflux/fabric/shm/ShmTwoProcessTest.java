package io.railflux.fabric.shm;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.railflux.fabric.Endpoint;
import io.railflux.fabric.EndpointState;
import io.railflux.fabric.Fabric;
import io.railflux.fabric.LocalMemory;
import io.railflux.fabric.Opcode;
import io.railflux.fabric.PostResult;
import io.railflux.fabric.RemoteRegion;
import io.railflux.fabric.WorkRequest;
import io.railflux.fabric.shm.files.UserDirectory;
import io.railflux.fabric.shm.memory.Words;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** This process, and {@link ShmChild} in another process. */
@EnabledOnOs(value = OS.LINUX, disabledReason = "shared memory needs Linux")
class ShmTwoProcessTest {

  private static final int PINGS = 2000;

  private final Ears ears = new Ears();
  private final WorkRequest request = new WorkRequest();
  private Rig rig;
  private Fabric fabric;
  private LocalMemory memory;
  private ChildProcess child;
  private Endpoint endpoint;
  private RemoteRegion region;

  @BeforeEach
  void connect() throws Exception {
    rig = new Rig();
    fabric = rig.near;
    memory = fabric.register(ByteBuffer.allocateDirect(4096).order(ByteOrder.LITTLE_ENDIAN));
    child = ChildProcess.listening(rig.base, "child");
    fabric.connect("child", 1, ears);
    pollUntil(() -> !ears.connected.isEmpty());
    endpoint = ears.connected.get(0);
    endpoint.postReceive(1, memory, 0, 8);
    pollUntil(() -> ears.completed.size() == 1);
    region = endpoint.attach(memory.memory().getLong(0), ShmChild.REGION_BYTES);
  }

  @AfterEach
  void close() throws IOException {
    child.close();
    rig.close();
  }

  @Test
  void reportsTheOtherProcess() {
    assertTrue(endpoint.remoteDescription().contains("process " + child.pid()));
  }

  @Test
  void messagesRoundTrip() {
    exchangeMessages();
  }

  private void exchangeMessages() {
    for (int i = 1; i <= 100; i++) {
      memory.memory().putLong(1024, 7L * i);
      endpoint.postReceive(i, memory, 0, 1024);
      endpoint.post(request.send(memory, 1024, 8 + i));
      int expected = 1 + i;
      pollUntil(() -> ears.completed.size() == expected);
      assertEquals("RECEIVE#" + i + " SUCCESS " + (8 + i) + " B", ears.completed.get(i));
      assertEquals(7L * i, memory.memory().getLong(0));
    }
  }

  @Test
  void writtenBytesCanBeReadBack() {
    memory.memory().putLong(0, 0x1234_5678_9abc_def0L);
    endpoint.post(request.write(memory, 0, 8, region, 1024));
    endpoint.post(request.read(memory, 512, 8, region, 1024).withId(9));
    pollUntil(() -> ears.completed.contains("READ#9 SUCCESS 0 B"));

    assertEquals(0x1234_5678_9abc_def0L, memory.memory().getLong(512));
  }

  @Test
  void atomicsAreAtomic() {
    for (int i = 0; i < 10; i++) {
      request.read(memory, 0, 8, region, 2048).opcode = Opcode.FETCH_ADD;
      request.operand = 5;
      assertEquals(PostResult.POSTED, endpoint.post(request));
      assertEquals(5L * i, memory.memory().getLong(0));
    }
    request.opcode = Opcode.COMPARE_SWAP;
    request.compare = 50;
    request.operand = -1;
    endpoint.post(request);

    assertEquals(50, memory.memory().getLong(0));
    assertEquals(-1, region.mapped().getLong(2048));
  }

  @Test
  void doorbellWakesTheOtherProcess() {
    ping(PINGS / 4);
    long[] nanos = ping(PINGS);
    Arrays.sort(nanos);

    System.out.printf(
        "shm doorbell round trip, both sides asleep: median %d ns, 99 %% %d ns%n",
        nanos[PINGS / 2], nanos[PINGS * 99 / 100]);
  }

  @Test
  void killedProcessIsReportedAndItsFilesAreRemoved() throws IOException {
    endpoint.postReceive(5, memory, 0, 8);
    long start = System.nanoTime();
    child.kill();
    pollUntil(() -> !ears.errors.isEmpty());
    long tookNanos = System.nanoTime() - start;
    pollUntil(() -> !ears.drained.isEmpty());

    System.out.printf("shm: kill -9 of the peer reported after %d us%n", tookNanos / 1000);
    assertEquals("peer process " + child.pid() + " ended", ears.errors.get(0));
    assertEquals("RECEIVE#5 FLUSHED 0 B", ears.completed.get(1));
    assertTrue(endpoint.peerGone());
    assertEquals(EndpointState.DRAINED, endpoint.state());
    assertEquals(List.of(), rig.files());
    assertTrue(region.mapped().get(0) == 0, "still mapped");
  }

  @Test
  void deathOfThePeerWakesThisProcess() {
    fabric.arm();
    while (fabric.poll(16) > 0) {}
    long start = System.nanoTime();
    child.kill();
    assertTrue(rig.nearLoop.sleep(10_000));

    System.out.printf(
        "shm: kill -9 of the peer woke a sleeper after %d us%n",
        (System.nanoTime() - start) / 1000);
    pollUntil(() -> !ears.drained.isEmpty());
  }

  @Test
  void unattachedRegionsOfAKilledProcessAreRemoved() throws Exception {
    fabric.connect("child", 2, ears);
    pollUntil(() -> ears.connected.size() == 2);
    rig.await(() -> {
      try {
        return rig.files().stream().anyMatch(file -> file.startsWith("r-"));
      } catch (IOException e) {
        throw new AssertionError(e);
      }
    });
    child.kill();
    pollUntil(() -> ears.drained.size() == 2);

    assertEquals(List.of(), rig.files());
  }

  @Test
  void stoppedProcessIsNotReportedAsDead() throws Exception {
    child.signal("STOP");
    long end = System.nanoTime() + 500_000_000L;
    while (System.nanoTime() < end) {
      fabric.poll(16);
    }
    assertEquals(EndpointState.READY, endpoint.state());
    assertFalse(endpoint.peerGone());

    child.signal("CONT");
    exchangeMessages();
  }

  @Test
  void orderlyCloseIsReported() throws Exception {
    memory.memory().put(0, (byte) 'q');
    endpoint.postReceive(2, memory, 64, 8);
    endpoint.post(request.send(memory, 0, 1));
    pollUntil(() -> !ears.drained.isEmpty());

    assertEquals("RECEIVE#2 SUCCESS 1 B", ears.completed.get(1));
    assertTrue(ears.errors.get(0).endsWith("closed the connection"), ears.errors.get(0));
    assertFalse(endpoint.peerGone());
    assertEquals(0, child.exitCode());
    assertNull(child.line());
    assertEquals(List.of(), rig.files());
  }

  @Test
  void reportsTheHolderOfANameInUse() {
    IOException refusal = assertThrows(IOException.class, () -> fabric.listen("child", ears));

    assertTrue(refusal.getMessage().endsWith("is taken by process " + child.pid()));
  }

  @Test
  void nameOfAKilledProcessIsFree() throws Exception {
    child.kill();
    assertFalse(child.exitCode() == 0);

    fabric.listen("child", ears).close();
  }

  @Test
  void nextProcessRemovesTheFilesOfAKilledProcess() throws Exception {
    Path elsewhere = Files.createTempDirectory(Path.of("/dev/shm"), "railflux-test-");
    try {
      ChildProcess lonely = ChildProcess.listening(elsewhere, "lonely");
      lonely.kill();
      lonely.exitCode();
      ChildProcess next = ChildProcess.connecting(elsewhere, "lonely", List.of());

      assertTrue(next.line().contains("no process listens at this path"));
      assertEquals(0, next.exitCode());
      try (var left = Files.list(UserDirectory.open(elsewhere).path())) {
        assertEquals(
            List.of("names.lock"), left.map(f -> f.getFileName().toString()).toList());
      }
    } finally {
      Rig.deleteTree(elsewhere);
    }
  }

  @Test
  void rejectsAnotherUser() throws Exception {
    // The other user may open any file, so that the check of users is tested alone.
    List<String> asNobody = List.of(
        "setpriv",
        "--reuid=65534",
        "--regid=65534",
        "--clear-groups",
        "--inh-caps=+dac_override",
        "--ambient-caps=+dac_override");
    assumeTrue(runs(asNobody), "cannot start a process of another user (needs root and setpriv)");
    Files.setPosixFilePermissions(rig.base, PosixFilePermissions.fromString("rwxrwxrwx"));
    rig.far.listen("guarded", rig.farEars);
    String path = rig.userDirectory().resolve("guarded.sock").toString();
    ChildProcess nobody = ChildProcess.connecting(rig.base, path, asNobody);
    rig.await(() -> !nobody.alive());

    String last = null;
    for (String line = nobody.line(); line != null; line = nobody.line()) {
      last = line;
    }
    assertTrue(last.matches(".* as user (root|number 0), this one as nobody.*"), last);
    assertEquals(List.of(), rig.farEars.connected);
  }

  private static boolean runs(List<String> prefix) throws InterruptedException {
    List<String> command = new ArrayList<>(prefix);
    command.add("true");
    try {
      return new ProcessBuilder(command).start().waitFor() == 0;
    } catch (IOException e) {
      return false;
    }
  }

  private long[] ping(int times) {
    long[] nanos = new long[times];
    ByteBuffer words = region.mapped();
    for (int i = 0; i < times; i++) {
      long number = (long) Words.LONGS.get(words, ShmChild.PING_OFFSET) + 1;
      long start = System.nanoTime();
      Words.LONGS.setRelease(words, ShmChild.PING_OFFSET, number);
      endpoint.notifyPeer();
      awaitPong(words, number);
      nanos[i] = System.nanoTime() - start;
    }
    return nanos;
  }

  private void awaitPong(ByteBuffer words, long number) {
    while ((long) Words.LONGS.getAcquire(words, ShmChild.PONG_OFFSET) != number) {
      fabric.arm();
      boolean there = (long) Words.LONGS.getAcquire(words, ShmChild.PONG_OFFSET) == number;
      if (!there && fabric.poll(16) == 0) {
        assertTrue(rig.nearLoop.sleep(10_000), "slept through ping " + number);
      }
      fabric.disarm();
    }
  }

  private void pollUntil(java.util.concurrent.Callable<Boolean> condition) {
    await()
        .pollInSameThread()
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofNanos(1000))
        .atMost(Duration.ofSeconds(20))
        .until(() -> {
          fabric.poll(16);
          return condition.call();
        });
  }
}
