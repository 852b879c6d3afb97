package io.railflux.fabric;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.fabric.Capabilities.Feature;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

abstract class OneSidedContract extends ContractCase {

  private static final int LENGTH = 4096;
  private static final long ANNOUNCEMENT = 1000;
  private static final VarHandle LONGS =
      MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private Shared shared;

  @BeforeEach
  void share() throws Exception {
    connect();
    shared = share(LENGTH, Access.REMOTE_ALL);
  }

  @Test
  void exposedMemoryIsZeroedAndLittleEndian() {
    assertTrue(shared.exposed().lengthBytes() >= LENGTH);
    assertEquals(ByteOrder.LITTLE_ENDIAN, shared.exposed().memory().order());
    assertEquals(shared.exposed().lengthBytes(), shared.exposed().memory().capacity());
    assertArrayEquals(new byte[shared.exposed().lengthBytes()], shared.bytes());
  }

  @Test
  void keysOfRegionsDiffer() {
    ExposedRegion other = far.endpoint.expose(LENGTH, Access.REMOTE_ALL);

    assertTrue(other.key() != shared.exposed().key());
  }

  @Test
  void writeMovesExactlyItsBytes() {
    near.fill(0, 1024, 4);
    near.write(1, 100, 333, shared.attached(), 1001);
    announce();

    byte[] expected = new byte[shared.exposed().lengthBytes()];
    System.arraycopy(near.bytes(100, 333), 0, expected, 1001, 333);
    assertArrayEquals(expected, shared.bytes());
  }

  @Test
  void writeMayReachTheLastByte() {
    int end = shared.exposed().lengthBytes();
    near.fill(0, 8, 4);
    near.write(1, 0, 8, shared.attached(), end - 8);
    announce();

    assertArrayEquals(Party.patterned(4, 8), shared.bytes(end - 8, 8));
  }

  @Test
  void emptyWriteChangesNothing() {
    near.write(1, 0, 0, shared.attached(), 0);
    announce();

    assertArrayEquals(new byte[shared.exposed().lengthBytes()], shared.bytes());
  }

  @Test
  void sendAnnouncesAllEarlierWrites() {
    for (int round = 0; round < 50; round++) {
      int seed = round;
      near.fill(0, 2000, seed);
      near.write(1, 0, 1000, shared.attached(), 0);
      near.write(2, 1000, 1000, shared.attached(), 1000);
      announce();

      assertArrayEquals(Party.patterned(seed, 2000), shared.bytes(0, 2000));
      awaitCompletion();
    }
  }

  @Test
  void laterOfTwoOverlappingWritesWins() {
    for (int round = 0; round < 20; round++) {
      near.fill(0, 512, round);
      near.fill(512, 512, 100 + round);
      near.write(1, 0, 512, shared.attached(), 128);
      near.write(2, 512, 512, shared.attached(), 128);
      announce();

      assertArrayEquals(Party.patterned(100 + round, 512), shared.bytes(128, 512));
      awaitCompletion();
    }
  }

  @Test
  void publishWordIsVisibleAfterItsContent() {
    assumeDeclared(Feature.ORDERED_PLACEMENT);
    for (int round = 1; round <= 50; round++) {
      long word = round;
      near.fill(0, 1024, round);
      near.memory.memory().putLong(1024, word);
      near.write(1, 0, 1032, shared.attached(), 0);
      await(() -> (long) LONGS.getAcquire(shared.exposed().memory(), 1024) == word, "the word");

      assertArrayEquals(Party.patterned(round, 1024), shared.bytes(0, 1024));
      awaitRequests(round);
    }
  }

  @Test
  void smallWritesAreVisibleAtomicallyIfDeclared() throws Exception {
    assumeDeclared(Feature.SMALL_WRITES_AT_ONCE);
    int length = Capabilities.SMALL_WRITE_BYTES;
    Shared region = share(length, Access.REMOTE_ALL);
    for (int round = 1; round <= 20; round++) {
      long word = round;
      near.fill(0, length, round);
      near.memory.memory().putLong(0, word);
      near.write(1, 0, length, region.attached(), 0);
      await(() -> (long) LONGS.getAcquire(region.exposed().memory(), 0) == word, "the word");

      byte[] rest = Arrays.copyOfRange(Party.patterned(round, length), 8, length);
      assertArrayEquals(rest, region.bytes(8, length - 8));
      awaitRequests(round);
    }
  }

  @Test
  void immediateDataArrivesWithTheBytes() {
    assumeDeclared(Feature.WRITE_WITH_IMMEDIATE);
    near.fill(0, 700, 8);
    far.receive(5, 0, 0);
    WorkRequest request = new WorkRequest().write(near.memory, 0, 700, shared.attached(), 64);
    request.opcode = Opcode.WRITE_WITH_IMMEDIATE;
    request.immediate = 0xCAFE_BABE;
    near.post(request.withId(6));
    awaitReceives(1);
    awaitRequests(1);

    Callback receive = far.callbacks.receives().get(0);
    assertEquals(Opcode.RECEIVE_IMMEDIATE, receive.opcode());
    assertEquals(5, receive.id());
    assertEquals(0xCAFE_BABE, receive.immediate());
    assertEquals(700, receive.lengthBytes());
    assertArrayEquals(Party.patterned(8, 700), shared.bytes(64, 700));
    assertEquals(Opcode.WRITE_WITH_IMMEDIATE, near.callbacks.requests().get(0).opcode());
  }

  @Test
  void readMovesExactlyItsBytes() {
    assumeDeclared(Feature.READ);
    for (int i = 0; i < LENGTH; i++) {
      shared.exposed().memory().put(i, Party.pattern(1, i));
    }
    near.read(1, 512, 333, shared.attached(), 1001);
    awaitRequests(1);

    byte[] expected = new byte[1024];
    System.arraycopy(Party.patterned(1, LENGTH), 1001, expected, 512, 333);
    assertArrayEquals(expected, near.bytes(0, 1024));
  }

  @Test
  void readSeesEarlierWrites() {
    assumeDeclared(Feature.READ);
    near.fill(0, 1000, 6);
    near.write(1, 0, 1000, shared.attached(), 0);
    near.read(2, 4096, 1000, shared.attached(), 0);
    awaitRequests(2);

    assertArrayEquals(Party.patterned(6, 1000), near.bytes(4096, 1000));
  }

  @Test
  void fencedRequestStartsAfterEarlierReads() {
    assumeDeclared(Feature.READ);
    assumeDeclared(Feature.FENCED_REQUESTS);
    shared.exposed().memory().putLong(0, 0x1234_5678_9ABCL);
    far.receive(1, 0, 8);
    near.read(2, 64, 8, shared.attached(), 0);
    WorkRequest send = new WorkRequest().send(near.memory, 64, 8).withId(3);
    send.fenced = true;
    near.post(send);
    awaitReceives(1);

    assertEquals(0x1234_5678_9ABCL, far.memory.memory().getLong(0));
  }

  @Test
  void fetchAddReturnsTheFormerValue() {
    assumeDeclared(Feature.ATOMICS);
    shared.exposed().memory().putLong(128, 40);
    WorkRequest request = new WorkRequest().read(near.memory, 64, 8, shared.attached(), 128);
    request.opcode = Opcode.FETCH_ADD;
    request.operand = 2;
    near.post(request.withId(1));
    awaitRequests(1);

    assertEquals(40, near.memory.memory().getLong(64));
    assertEquals(42, shared.exposed().memory().getLong(128));
  }

  @Test
  void compareSwapSwapsTheExpectedValueOnly() {
    assumeDeclared(Feature.ATOMICS);
    shared.exposed().memory().putLong(128, 40);
    compareSwap(64, 41, 1);
    compareSwap(72, 40, 50);
    awaitRequests(2);

    assertEquals(40, near.memory.memory().getLong(64));
    assertEquals(40, near.memory.memory().getLong(72));
    assertEquals(50, shared.exposed().memory().getLong(128));
  }

  @Test
  void mappedMemoryIsTheMemoryOfThePeer() {
    assumeDeclared(Feature.MAPPED);
    assertEquals(ByteOrder.LITTLE_ENDIAN, shared.attached().mapped().order());
    LONGS.setRelease(shared.attached().mapped(), 64, 77L);
    assertEquals(77L, (long) LONGS.getAcquire(shared.exposed().memory(), 64));
    LONGS.setRelease(shared.exposed().memory(), 128, 78L);
    assertEquals(78L, (long) LONGS.getAcquire(shared.attached().mapped(), 128));
  }

  @Test
  void exposedMemoryCanBeUsedForLocalRequests() {
    ExposedRegion source = near.endpoint.expose(256, Access.REMOTE_READ);
    source.memory().putLong(0, 99);
    far.receive(1, 0, 64);
    near.post(new WorkRequest().send(source, 0, 64).withId(2));
    awaitReceives(1);

    assertEquals(99, far.memory.memory().getLong(0));
  }

  private void compareSwap(int into, long expected, long replacement) {
    WorkRequest request = new WorkRequest().read(near.memory, into, 8, shared.attached(), 128);
    request.opcode = Opcode.COMPARE_SWAP;
    request.compare = expected;
    request.operand = replacement;
    near.post(request.withId(into));
  }

  /** Posts a send after the writes. All writes have landed when it is received. */
  private void announce() {
    int before = far.callbacks.receives().size();
    post(() -> far.receive(1, 64 * 1024, 64));
    post(() -> near.send(ANNOUNCEMENT, 64 * 1024, 0));
    awaitReceives(before + 1);
  }

  /** Waits for a completion. Until then the requests own local memory. */
  private void awaitCompletion() {
    await(
        () -> near.callbacks.requests().stream().anyMatch(h -> h.id() == ANNOUNCEMENT),
        "the announcement's end");
    near.callbacks.all().clear();
  }
}
