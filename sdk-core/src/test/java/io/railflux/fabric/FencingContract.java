package io.railflux.fabric;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.railflux.fabric.Capabilities.Feature;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The basis of a safe replay: after the receiver of writes is drained, no write of its peer lands. A peer stores
 * directly into mapped memory, which cannot be revoked. There {@link Endpoint#post} rejects requests, and the engine
 * does not store through endpoints that left {@link EndpointState#READY}.
 */
abstract class FencingContract extends ContractCase {

  private static final int LENGTH = 8192;

  private Shared shared;
  private int round;

  @BeforeEach
  void share() throws Exception {
    connect();
    shared = share(LENGTH, Access.REMOTE_ALL);
  }

  @Test
  void nothingLandsAfterDraining() {
    writeSome();
    far.endpoint.fence("suspected");
    writeSome();
    await(() -> far.callbacks.drained(far.endpoint), "draining");
    byte[] drained = shared.bytes();
    writeSome();
    fixture.settle();
    writeSome();
    fixture.settle();

    assertArrayEquals(drained, shared.bytes());
  }

  @Test
  void nothingIsAnnouncedAfterDraining() {
    for (int i = 0; i < 8; i++) {
      far.receive(i, i * 64, 64);
      near.send(i, 0, 64);
    }
    far.endpoint.fence("suspected");
    await(() -> far.callbacks.drained(far.endpoint), "draining");
    int callbacks = far.callbacks.about(far.endpoint).size();
    byte[] drained = far.bytes(0, 8 * 64);
    near.send(9, 0, 64);
    fixture.settle();

    assertEquals(callbacks, far.callbacks.about(far.endpoint).size());
    assertArrayEquals(drained, far.bytes(0, 8 * 64));
  }

  @Test
  void atomicsDoNotLandAfterDraining() {
    assumeDeclared(Feature.ATOMICS);
    far.endpoint.fence("suspected");
    await(() -> far.callbacks.drained(far.endpoint), "draining");
    WorkRequest request = new WorkRequest().read(near.memory, 0, 8, shared.attached(), 0);
    request.opcode = Opcode.FETCH_ADD;
    request.operand = 1;
    near.post(request.withId(1));
    fixture.settle();

    assertEquals(0, shared.exposed().memory().getLong(0));
  }

  @Test
  void writeToAFencedEndpointFails() {
    far.endpoint.fence("suspected");
    await(() -> far.callbacks.drained(far.endpoint), "draining");
    await(
        () -> near.write(1, 0, 64, shared.attached(), 0) == PostResult.NOT_READY,
        "the sender's end");
    awaitNearDrained();
  }

  @Test
  void peerThatFencesItselfStopsWritingInTime() {
    writeSome();
    near.endpoint.fence("the end of writes");
    awaitNearDrained();
    far.endpoint.fence("the report");
    await(() -> far.callbacks.drained(far.endpoint), "draining");
    byte[] drained = shared.bytes();
    fixture.settle();

    assertArrayEquals(drained, shared.bytes());
  }

  /** Posts several writes of different lengths and content. Full queues and errors are permitted. */
  private void writeSome() {
    for (int i = 0; i < 8; i++) {
      round++;
      near.fill(i * 1024, 1024, round);
      near.write(round, i * 1024, 64 + i * 120, shared.attached(), i * 1024);
    }
  }
}
