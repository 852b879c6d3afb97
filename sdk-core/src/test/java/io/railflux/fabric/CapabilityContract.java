package io.railflux.fabric;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.address.HostPort;
import io.railflux.fabric.Capabilities.Feature;
import java.nio.ByteBuffer;
import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Undeclared features are rejected. The other parts of the contract verify declared features. */
abstract class CapabilityContract extends ContractCase {

  private Shared shared;

  @BeforeEach
  void share() throws Exception {
    connect();
    shared = share(1024, Access.REMOTE_ALL);
  }

  @Test
  void limitsAreValid() {
    Capabilities declared = fixture.local().capabilities();

    assertTrue(declared.maxSendBytes() > 0);
    assertTrue(declared.maxInlineBytes() >= 0);
    assertTrue(declared.sendQueueDepth() > 0);
    assertTrue(declared.receiveQueueDepth() > 0);
    assertTrue(declared.eagerLimitBytes() >= 0);
    boolean reads = declares(Feature.READ) || declares(Feature.ATOMICS);
    assertEquals(reads, declared.maxOutstandingReads() > 0);
  }

  @Test
  void declarationsDoNotChange() {
    Capabilities before = fixture.local().capabilities();
    near.endpoint.fence("test");
    awaitNearDrained();

    assertEquals(before, fixture.local().capabilities());
    assertEquals(before, fixture.remote().capabilities());
  }

  @Test
  void nameIsAScheme() {
    assertTrue(
        fixture.local().name().matches("[a-z][a-z0-9+.-]*"), fixture.local().name());
  }

  @Test
  void memoryIsMappedIfAndOnlyIfDeclared() {
    if (declares(Feature.MAPPED)) {
      assertNotNull(shared.attached().mapped());
      assertEquals(shared.attached().lengthBytes(), shared.attached().mapped().capacity());
    } else {
      assertNull(shared.attached().mapped());
    }
  }

  @Test
  void callersMemoryIsExposedIfAndOnlyIfDeclared() {
    ByteBuffer memory = ByteBuffer.allocateDirect(4096);
    if (declares(Feature.EXPOSES_USER_MEMORY)) {
      assertEquals(4096, far.endpoint.expose(memory, Access.REMOTE_WRITE).lengthBytes());
    } else {
      assertThrows(
          UnsupportedOperationException.class,
          () -> far.endpoint.expose(memory, Access.REMOTE_WRITE));
    }
  }

  @Test
  void oneListenerAcceptsAtEveryInterface() throws Exception {
    assumeDeclared(Feature.INTERFACE_ADDRESSES);
    try (Fabric.Listening listening = fixture.remote().listen("*:0", far.callbacks)) {
      HostPort everywhere = HostPort.parse(listening.location());
      assertEquals("*", everywhere.host());

      connectTo("127.0.0.1:" + everywhere.port());
      connectTo("127.0.0.2:" + everywhere.port());
    }
  }

  @Test
  void undeclaredOperationsAreUnsupportedWithoutSideEffects() {
    far.receive(1, 0, 64);
    Map<Opcode, Feature> needs = new EnumMap<>(Opcode.class);
    needs.put(Opcode.WRITE_WITH_IMMEDIATE, Feature.WRITE_WITH_IMMEDIATE);
    needs.put(Opcode.READ, Feature.READ);
    needs.put(Opcode.FETCH_ADD, Feature.ATOMICS);
    needs.put(Opcode.COMPARE_SWAP, Feature.ATOMICS);
    needs.forEach((opcode, feature) -> {
      PostResult expected = declares(feature) ? PostResult.POSTED : PostResult.UNSUPPORTED;
      assertEquals(expected, postOne(opcode), () -> opcode + " with " + feature);
    });
    fixture.settle();

    assertEquals(EndpointState.READY, near.endpoint.state());
  }

  @Test
  void datagramsNeedTheirDeclaration() {
    assertFalse(declares(Feature.DATAGRAM), "the contract has no tests for datagrams yet");
    WorkRequest request = new WorkRequest().send(near.memory, 0, 64).withId(1);
    request.addressHandle = "somewhere";

    assertEquals(PostResult.UNSUPPORTED, near.post(request));
  }

  private PostResult postOne(Opcode opcode) {
    WorkRequest request = new WorkRequest().write(near.memory, 0, 8, shared.attached(), 0);
    request.opcode = opcode;
    return near.post(request.withId(opcode.name().hashCode()));
  }
}
