package io.railflux.fabric.shm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.railflux.fabric.Access;
import io.railflux.fabric.Completion;
import io.railflux.fabric.Endpoint;
import io.railflux.fabric.Fabric;
import io.railflux.fabric.LocalMemory;
import io.railflux.fabric.Opcode;
import io.railflux.fabric.PostResult;
import io.railflux.fabric.RemoteRegion;
import io.railflux.fabric.WorkRequest;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Posting, polling and notifying allocate nothing. */
@EnabledOnOs(value = OS.LINUX, disabledReason = "shared memory needs Linux")
class HotPathAllocationTest {

  private static final int WARM_UP_ROUNDS = 20_000;
  private static final int ROUNDS = 1000;

  private final WorkRequest request = new WorkRequest();
  private final Counting near = new Counting();
  private final Counting far = new Counting();
  private Rig rig;
  private RemoteRegion region;
  private LocalMemory memory;

  @BeforeEach
  void open() throws Exception {
    rig = new Rig();
    try (Fabric.Listening listening = rig.far.listen("counting", far)) {
      rig.near.connect(listening.location(), 1, near);
      rig.await(() -> near.endpoint != null && far.endpoint != null);
    }
    region = near.endpoint.attach(far.endpoint.expose(4096, Access.REMOTE_ALL).key(), 4096);
    memory = rig.near.register(ByteBuffer.allocateDirect(4096));
  }

  @AfterEach
  void close() throws Exception {
    rig.close();
  }

  @Test
  void roundOfAllOperationsAllocatesNothing() {
    rounds(WARM_UP_ROUNDS);
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long thread = Thread.currentThread().getId();
    // The JIT may occasionally allocate on behalf of this thread. A leak would allocate in every
    // round.
    long least = Long.MAX_VALUE;
    for (int attempt = 0; attempt < 10; attempt++) {
      long before = threads.getThreadAllocatedBytes(thread);
      rounds(ROUNDS);
      least = Math.min(least, threads.getThreadAllocatedBytes(thread) - before);
    }

    assertTrue(least < ROUNDS, least + " bytes in " + ROUNDS + " rounds");
    assertEquals(far.completions, near.completions / 4);
  }

  private void rounds(int rounds) {
    for (int i = 0; i < rounds; i++) {
      far.endpoint.postReceive(i, memory, 0, 64);
      post(request.write(memory, 0, 256, region, 0));
      post(request.read(memory, 1024, 256, region, 512));
      request.read(memory, 2048, 8, region, 1024).opcode = Opcode.FETCH_ADD;
      post(request);
      post(request.send(memory, 512, 64));
      near.endpoint.notifyPeer();
      rig.poll();
    }
  }

  private void post(WorkRequest prepared) {
    PostResult result = near.endpoint.post(prepared.withId(1));
    assertEquals(PostResult.POSTED, result);
  }

  private static final class Counting extends Ears {
    private Endpoint endpoint;
    private long completions;

    @Override
    public void onConnected(Endpoint connected, long attempt) {
      endpoint = connected;
    }

    @Override
    public void onCompletion(Endpoint about, Completion completion) {
      completions++;
    }
  }
}
