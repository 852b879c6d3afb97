package io.railflux.fabric.disni;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.railflux.fabric.Access;
import io.railflux.fabric.Completion;
import io.railflux.fabric.Endpoint;
import io.railflux.fabric.Fabric;
import io.railflux.fabric.FabricListener;
import io.railflux.fabric.LocalMemory;
import io.railflux.fabric.PostResult;
import io.railflux.fabric.RealContext;
import io.railflux.fabric.RemoteRegion;
import io.railflux.fabric.WorkRequest;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Posting, polling and notifying allocate nothing, including DiSNI's part. */
@ExtendWith(WhereDisniWorks.class)
class HotPathAllocationTest {

  private static final int WARM_UP_ROUNDS = 2_000;
  private static final int ROUNDS = 200;
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final WorkRequest request = new WorkRequest();
  private final Counting near = new Counting();
  private final Counting far = new Counting();
  private RealContext context;
  private Fabric fabric;
  private RemoteRegion region;
  private LocalMemory memory;

  @BeforeEach
  void open() throws Exception {
    context = new RealContext();
    fabric = new DisniFabricProvider().open(context);
    try (Fabric.Listening listening = fabric.listen(RdmaInterface.address() + ":0", far)) {
      fabric.connect(listening.location(), 1, near);
      Awaitility.await().pollInSameThread().atMost(PATIENCE).until(() -> {
        fabric.poll(16);
        return near.endpoint != null && far.endpoint != null;
      });
    }
    region = near.endpoint.attach(far.endpoint.expose(4096, Access.REMOTE_ALL).key(), 4096);
    memory = fabric.register(ByteBuffer.allocateDirect(4096));
  }

  @AfterEach
  void close() {
    fabric.close();
    context.close();
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
    assertEquals(3 * far.completions, near.completions);
  }

  private void rounds(int rounds) {
    for (int i = 0; i < rounds; i++) {
      long target = near.completions + 3;
      far.endpoint.postReceive(i, memory, 0, 64);
      post(request.write(memory, 0, 256, region, 0));
      post(request.read(memory, 1024, 256, region, 512));
      post(request.send(memory, 512, 64));
      near.endpoint.notifyPeer();
      while (near.completions < target) {
        fabric.poll(16);
        Thread.onSpinWait();
      }
    }
  }

  private void post(WorkRequest prepared) {
    assertEquals(PostResult.POSTED, near.endpoint.post(prepared.withId(1)));
  }

  private static final class Counting implements FabricListener {
    private Endpoint endpoint;
    private long completions;

    @Override
    public void onConnected(Endpoint connected, long attempt) {
      endpoint = connected;
    }

    @Override
    public void onConnectFailed(long attempt, String reason) {
      throw new AssertionError(reason);
    }

    @Override
    public void onCompletion(Endpoint about, Completion completion) {
      completions++;
    }

    @Override
    public void onError(Endpoint about, String reason) {
      throw new AssertionError(reason);
    }

    @Override
    public void onDrained(Endpoint about) {}
  }
}
