package io.railflux.fabric;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.railflux.fabric.Capabilities.Feature;
import io.railflux.fabric.Heard.Kind;
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
  void aWriteBehindTheEndIsRefused() {
    near.write(1, 0, 8, shared.attached(), shared.exposed().lengthBytes());
    assertRefused(CompletionStatus.REMOTE_ACCESS);
  }

  @Test
  void aWriteAcrossTheEndChangesNothingAtAll() {
    near.write(1, 0, 128, shared.attached(), shared.exposed().lengthBytes() - 64);
    assertRefused(CompletionStatus.REMOTE_ACCESS);
  }

  @Test
  void aWriteBeforeTheBeginningIsRefused() {
    near.write(1, 0, 16, shared.attached(), -8);
    assertRefused(CompletionStatus.REMOTE_ACCESS);
  }

  @Test
  void offsetsDoNotOverflow() {
    near.write(1, 0, 64, shared.attached(), Integer.MAX_VALUE - 8);
    assertRefused(CompletionStatus.REMOTE_ACCESS);
  }

  @Test
  void aReadAcrossTheEndBringsNothing() {
    assumeDeclared(Feature.READ);
    byte[] before = near.bytes(0, 256);
    near.read(1, 0, 128, shared.attached(), shared.exposed().lengthBytes() - 64);
    assertRefused(CompletionStatus.REMOTE_ACCESS);
    assertArrayEquals(before, near.bytes(0, 256));
  }

  @Test
  void anUnalignedAtomicIsRefused() {
    assumeDeclared(Feature.ATOMICS);
    WorkRequest request = new WorkRequest().read(near.memory, 0, 8, shared.attached(), 4);
    request.opcode = Opcode.FETCH_ADD;
    request.operand = 1;
    near.post(request.withId(1));
    awaitNearDrained();

    assertNotEquals(CompletionStatus.SUCCESS, near.heard.requests().get(0).status());
    assertUntouched();
  }

  @Test
  void localMemoryIsCheckedToo() {
    near.write(1, Party.MEMORY_BYTES - 4, 8, shared.attached(), 0);
    assertRefused(CompletionStatus.LOCAL_PROTECTION);
  }

  @Test
  void aNegativeLengthIsRefused() {
    near.write(1, 0, -1, shared.attached(), 0);
    awaitNearDrained();

    assertNotEquals(CompletionStatus.SUCCESS, near.heard.requests().get(0).status());
    assertUntouched();
  }

  @Test
  void deregisteredMemoryIsRefused() {
    near.memory.close();
    near.write(1, 0, 8, shared.attached(), 0);
    assertRefused(CompletionStatus.LOCAL_PROTECTION);
  }

  @Test
  void aRegionToReadFromCannotBeWritten() throws Exception {
    shared = share(LENGTH, Access.REMOTE_READ);
    near.write(1, 0, 8, shared.attached(), 0);
    assertRefused(CompletionStatus.REMOTE_ACCESS);
  }

  @Test
  void aRegionToWriteToCannotBeRead() throws Exception {
    assumeDeclared(Feature.READ);
    shared = share(LENGTH, Access.REMOTE_WRITE);
    byte[] before = near.bytes(0, 64);
    near.read(1, 0, 64, shared.attached(), 0);
    assertRefused(CompletionStatus.REMOTE_ACCESS);
    assertArrayEquals(before, near.bytes(0, 64));
  }

  @Test
  void aRegionWithoutFullAccessKnowsNoAtomics() throws Exception {
    assumeDeclared(Feature.ATOMICS);
    shared = share(LENGTH, Access.REMOTE_WRITE);
    WorkRequest request = new WorkRequest().read(near.memory, 0, 8, shared.attached(), 0);
    request.opcode = Opcode.FETCH_ADD;
    request.operand = 1;
    near.post(request.withId(1));
    assertRefused(CompletionStatus.REMOTE_ACCESS);
  }

  @Test
  void aKeyMeansNothingToAnotherPeer() throws Exception {
    connect();
    assertAttachOrUseRefused(shared.exposed().key());
  }

  @Test
  void anUnknownKeyIsRefused() {
    assertAttachOrUseRefused(shared.exposed().key() ^ 0x5555_5555_5555L);
  }

  @Test
  void aRegionAttachedToOneEndpointIsNoneOfAnothers() throws Exception {
    RemoteRegion ofTheFirst = shared.attached();
    connect();
    near.write(1, 0, 8, ofTheFirst, 0);
    assertRefused(CompletionStatus.REMOTE_ACCESS);
  }

  @Test
  void aRevokedKeyIsRefused() {
    shared.exposed().close();
    near.write(1, 0, 8, shared.attached(), 0);
    awaitNearDrained();

    assertEquals(CompletionStatus.REMOTE_ACCESS, near.heard.requests().get(0).status());
  }

  @Test
  void aRefusedRequestSparesThoseBeforeAndTakesThoseBehind() {
    near.write(1, 0, 8, shared.attached(), 0);
    near.write(2, 0, 8, shared.attached(), -8);
    near.write(3, 0, 8, shared.attached(), 64);
    awaitNearDrained();

    assertEquals(CompletionStatus.SUCCESS, near.heard.requests().get(0).status());
    assertEquals(CompletionStatus.REMOTE_ACCESS, near.heard.requests().get(1).status());
    near.heard.requests().stream()
        .skip(2)
        .forEach(h -> assertEquals(CompletionStatus.FLUSHED, h.status()));
    assertArrayEquals(Party.patterned(3, 8), shared.bytes(0, 8));
    assertArrayEquals(new byte[LENGTH - 8], shared.bytes(8, LENGTH - 8));
  }

  private void assertAttachOrUseRefused(long key) {
    RemoteRegion attached;
    try {
      attached = near.endpoint.attach(key, shared.exposed().lengthBytes());
    } catch (RemoteAccessException refusal) {
      assertUntouched();
      return;
    }
    near.write(1, 0, 8, attached, 0);
    assertRefused(CompletionStatus.REMOTE_ACCESS);
  }

  private void assertRefused(CompletionStatus status) {
    awaitNearDrained();
    fixture.settle();

    Heard completion = near.heard.requests().get(0);
    assertEquals(1, completion.id());
    assertEquals(status, completion.status());
    assertEquals(1, near.heard.of(Kind.ERROR).size());
    assertUntouched();
  }

  private void assertUntouched() {
    assertArrayEquals(new byte[shared.exposed().lengthBytes()], shared.bytes());
  }
}
