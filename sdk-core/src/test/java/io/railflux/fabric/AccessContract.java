package io.railflux.fabric;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.railflux.fabric.Callback.Kind;
import io.railflux.fabric.Capabilities.Feature;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

abstract class AccessContract extends ContractCase {

  private static final int LENGTH = 1024;

  private Shared shared;

  @BeforeEach
  void share() throws Exception {
    connect();
    shared = share(LENGTH, Access.REMOTE_ALL);
    near.fill(0, 4096, 3);
  }

  @Test
  void rejectsAWriteBeyondTheEnd() {
    near.write(1, 0, 8, shared.attached(), shared.exposed().lengthBytes());
    assertRejected(CompletionStatus.REMOTE_ACCESS);
  }

  @Test
  void writeAcrossTheEndChangesNothing() {
    near.write(1, 0, 128, shared.attached(), shared.exposed().lengthBytes() - 64);
    assertRejected(CompletionStatus.REMOTE_ACCESS);
  }

  @Test
  void rejectsAWriteBeforeTheBeginning() {
    near.write(1, 0, 16, shared.attached(), -8);
    assertRejected(CompletionStatus.REMOTE_ACCESS);
  }

  @Test
  void offsetsDoNotOverflow() {
    near.write(1, 0, 64, shared.attached(), Integer.MAX_VALUE - 8);
    assertRejected(CompletionStatus.REMOTE_ACCESS);
  }

  @Test
  void readAcrossTheEndReturnsNothing() {
    assumeDeclared(Feature.READ);
    byte[] before = near.bytes(0, 256);
    near.read(1, 0, 128, shared.attached(), shared.exposed().lengthBytes() - 64);
    assertRejected(CompletionStatus.REMOTE_ACCESS);
    assertArrayEquals(before, near.bytes(0, 256));
  }

  @Test
  void rejectsAnUnalignedAtomic() {
    assumeDeclared(Feature.ATOMICS);
    WorkRequest request = new WorkRequest().read(near.memory, 0, 8, shared.attached(), 4);
    request.opcode = Opcode.FETCH_ADD;
    request.operand = 1;
    near.post(request.withId(1));
    awaitNearDrained();

    assertNotEquals(CompletionStatus.SUCCESS, near.callbacks.requests().get(0).status());
    assertUntouched();
  }

  @Test
  void checksLocalMemory() {
    near.write(1, Party.MEMORY_BYTES - 4, 8, shared.attached(), 0);
    assertRejected(CompletionStatus.LOCAL_PROTECTION);
  }

  @Test
  void rejectsANegativeLength() {
    near.write(1, 0, -1, shared.attached(), 0);
    awaitNearDrained();

    assertNotEquals(CompletionStatus.SUCCESS, near.callbacks.requests().get(0).status());
    assertUntouched();
  }

  @Test
  void rejectsDeregisteredMemory() {
    near.memory.close();
    near.write(1, 0, 8, shared.attached(), 0);
    assertRejected(CompletionStatus.LOCAL_PROTECTION);
  }

  @Test
  void readOnlyRegionCannotBeWritten() throws Exception {
    shared = share(LENGTH, Access.REMOTE_READ);
    near.write(1, 0, 8, shared.attached(), 0);
    assertRejected(CompletionStatus.REMOTE_ACCESS);
  }

  @Test
  void writeOnlyRegionCannotBeRead() throws Exception {
    assumeDeclared(Feature.READ);
    shared = share(LENGTH, Access.REMOTE_WRITE);
    byte[] before = near.bytes(0, 64);
    near.read(1, 0, 64, shared.attached(), 0);
    assertRejected(CompletionStatus.REMOTE_ACCESS);
    assertArrayEquals(before, near.bytes(0, 64));
  }

  @Test
  void regionWithoutFullAccessRejectsAtomics() throws Exception {
    assumeDeclared(Feature.ATOMICS);
    shared = share(LENGTH, Access.REMOTE_WRITE);
    WorkRequest request = new WorkRequest().read(near.memory, 0, 8, shared.attached(), 0);
    request.opcode = Opcode.FETCH_ADD;
    request.operand = 1;
    near.post(request.withId(1));
    assertRejected(CompletionStatus.REMOTE_ACCESS);
  }

  @Test
  void keyIsInvalidForAnotherPeer() throws Exception {
    connect();
    assertAttachOrUseRejected(shared.exposed().key());
  }

  @Test
  void rejectsAnUnknownKey() {
    assertAttachOrUseRejected(shared.exposed().key() ^ 0x5555_5555_5555L);
  }

  @Test
  void attachedRegionIsInvalidForAnotherEndpoint() throws Exception {
    RemoteRegion ofTheFirst = shared.attached();
    connect();
    near.write(1, 0, 8, ofTheFirst, 0);
    assertRejected(CompletionStatus.REMOTE_ACCESS);
  }

  @Test
  void rejectsARevokedKey() {
    shared.exposed().close();
    near.write(1, 0, 8, shared.attached(), 0);
    awaitNearDrained();

    assertEquals(
        CompletionStatus.REMOTE_ACCESS, near.callbacks.requests().get(0).status());
  }

  @Test
  void rejectedRequestKeepsEarlierAndFailsLaterRequests() {
    near.write(1, 0, 8, shared.attached(), 0);
    near.write(2, 0, 8, shared.attached(), -8);
    near.write(3, 0, 8, shared.attached(), 64);
    awaitNearDrained();

    assertEquals(CompletionStatus.SUCCESS, near.callbacks.requests().get(0).status());
    assertEquals(
        CompletionStatus.REMOTE_ACCESS, near.callbacks.requests().get(1).status());
    near.callbacks.requests().stream()
        .skip(2)
        .forEach(h -> assertEquals(CompletionStatus.FLUSHED, h.status()));
    assertArrayEquals(Party.patterned(3, 8), shared.bytes(0, 8));
    assertArrayEquals(new byte[LENGTH - 8], shared.bytes(8, LENGTH - 8));
  }

  private void assertAttachOrUseRejected(long key) {
    RemoteRegion attached;
    try {
      attached = near.endpoint.attach(key, shared.exposed().lengthBytes());
    } catch (RemoteAccessException refusal) {
      assertUntouched();
      return;
    }
    near.write(1, 0, 8, attached, 0);
    assertRejected(CompletionStatus.REMOTE_ACCESS);
  }

  private void assertRejected(CompletionStatus status) {
    awaitNearDrained();
    fixture.settle();

    Callback completion = near.callbacks.requests().get(0);
    assertEquals(1, completion.id());
    assertEquals(status, completion.status());
    assertEquals(1, near.callbacks.of(Kind.ERROR).size());
    assertUntouched();
  }

  private void assertUntouched() {
    assertArrayEquals(new byte[shared.exposed().lengthBytes()], shared.bytes());
  }
}
