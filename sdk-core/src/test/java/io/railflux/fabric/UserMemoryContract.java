package io.railflux.fabric;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.railflux.fabric.Capabilities.Feature;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Memory of the caller that a peer reads and writes, if the fabric declares it. */
abstract class UserMemoryContract extends ContractCase {

  /** An odd length, which verifies that no length is rounded. */
  private static final int LENGTH = 5_000;

  private final ByteBuffer memory =
      ByteBuffer.allocateDirect(LENGTH).order(ByteOrder.LITTLE_ENDIAN);

  @BeforeEach
  void assumeExposable() throws Exception {
    assumeDeclared(Feature.EXPOSES_USER_MEMORY);
    connect();
    near.fill(0, 16_384, 5);
  }

  private RemoteRegion exposed(Access access) throws RemoteAccessException {
    ExposedRegion region = far.endpoint.expose(memory, access);
    return near.endpoint.attach(region.key(), region.lengthBytes());
  }

  private byte[] content() {
    return Party.bytes(memory, 0, LENGTH);
  }

  @Test
  void wholeBufferIsExposedUnchanged() {
    memory.put(17, (byte) 99).position(100).limit(200);
    ExposedRegion region = far.endpoint.expose(memory, Access.REMOTE_ALL);

    assertEquals(LENGTH, region.lengthBytes());
    assertEquals(99, region.memory().get(17));
    assertEquals(ByteOrder.LITTLE_ENDIAN, region.memory().order());
  }

  @Test
  void peerWritesIntoTheCallersBuffer() throws Exception {
    near.write(1, 0, LENGTH, exposed(Access.REMOTE_WRITE), 0);
    far.receive(2, 0, 64);
    near.send(3, 16_000, 0);
    awaitReceives(1);

    assertArrayEquals(Party.patterned(5, LENGTH), content());
  }

  @Test
  void peerReadsFromTheCallersBuffer() throws Exception {
    assumeDeclared(Feature.READ);
    memory.put(0, Party.patterned(9, LENGTH));
    near.read(1, 64, LENGTH - 10, exposed(Access.REMOTE_READ), 10);
    awaitRequests(1);

    byte[] expected = new byte[LENGTH - 10];
    System.arraycopy(Party.patterned(9, LENGTH), 10, expected, 0, LENGTH - 10);
    assertArrayEquals(expected, near.bytes(64, LENGTH - 10));
  }

  @Test
  void sliceExposesNothingElse() throws Exception {
    ExposedRegion slice = far.endpoint.expose(memory.slice(1_000, 512), Access.REMOTE_WRITE);
    near.write(1, 0, 64, near.endpoint.attach(slice.key(), 512), 512);
    awaitNearDrained();
    fixture.settle();

    assertEquals(
        CompletionStatus.REMOTE_ACCESS, near.callbacks.requests().get(0).status());
    assertArrayEquals(new byte[LENGTH], content());
  }

  @Test
  void accessIsLimitedToThePermittedOperations() throws Exception {
    near.write(1, 0, 64, exposed(Access.REMOTE_READ), 0);
    awaitNearDrained();
    fixture.settle();

    assertEquals(
        CompletionStatus.REMOTE_ACCESS, near.callbacks.requests().get(0).status());
    assertArrayEquals(new byte[LENGTH], content());
  }

  @Test
  void nothingLandsInReturnedMemory() throws Exception {
    ExposedRegion region = far.endpoint.expose(memory, Access.REMOTE_WRITE);
    RemoteRegion attached = near.endpoint.attach(region.key(), LENGTH);
    for (int i = 0; i < 8; i++) {
      near.write(i, i * 1_000, 600, attached, i * 600);
    }
    region.close();
    byte[] closed = content();
    near.write(9, 0, 600, attached, 0);
    fixture.settle();

    assertArrayEquals(closed, content());
  }

  @Test
  void endOfTheEndpointRevokesTheKeyAndKeepsTheContent() throws Exception {
    RemoteRegion attached = exposed(Access.REMOTE_WRITE);
    memory.put(0, Party.patterned(7, LENGTH));
    far.endpoint.close();
    near.write(1, 0, 600, attached, 0);
    fixture.settle();

    assertArrayEquals(Party.patterned(7, LENGTH), content());
  }

  @Test
  void memoryMayBeExposedTwice() throws Exception {
    ExposedRegion first = far.endpoint.expose(memory, Access.REMOTE_WRITE);
    ExposedRegion second = far.endpoint.expose(memory, Access.REMOTE_WRITE);
    assertNotEquals(first.key(), second.key());
    first.close();
    near.write(1, 0, 8, near.endpoint.attach(second.key(), LENGTH), 8);
    awaitRequests(1);

    assertEquals(CompletionStatus.SUCCESS, near.callbacks.requests().get(0).status());
  }

  @Test
  void onlyWritableDirectBuffersAreExposedForWriting() {
    assertThrows(
        IllegalArgumentException.class,
        () -> far.endpoint.expose(ByteBuffer.allocate(64), Access.REMOTE_READ));
    assertThrows(
        IllegalArgumentException.class,
        () -> far.endpoint.expose(memory.asReadOnlyBuffer(), Access.REMOTE_WRITE));
  }

  @Test
  void fencedEndpointExposesNothing() {
    far.endpoint.fence("test");

    assertThrows(
        IllegalStateException.class, () -> far.endpoint.expose(memory, Access.REMOTE_WRITE));
  }
}
