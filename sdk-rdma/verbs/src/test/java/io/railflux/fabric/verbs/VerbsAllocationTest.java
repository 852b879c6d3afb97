package io.railflux.fabric.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.railflux.fabric.Access;
import io.railflux.fabric.Completion;
import io.railflux.fabric.Endpoint;
import io.railflux.fabric.Fabric;
import io.railflux.fabric.FabricListener;
import io.railflux.fabric.LocalMemory;
import io.railflux.fabric.Opcode;
import io.railflux.fabric.PostResult;
import io.railflux.fabric.RealContext;
import io.railflux.fabric.RemoteRegion;
import io.railflux.fabric.WorkRequest;
import io.railflux.fabric.verbs.connect.Location;
import io.railflux.fabric.verbs.connect.RailAddress;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Posting, polling and notifying allocate nothing. */
@ExtendWith({WhereVerbsWork.class, NothingNativeLeft.class})
class VerbsAllocationTest {

  private static final int WARM_UP_ROUNDS = 6_000;
  private static final int ROUNDS = 500;
  private static final int COMPLETIONS_A_ROUND = 5;

  private final WorkRequest request = new WorkRequest();
  private final Counting near = new Counting();
  private final Counting far = new Counting();
  private Fabric nearFabric;
  private Fabric farFabric;
  private RemoteRegion region;
  private LocalMemory nearMemory;
  private LocalMemory farMemory;

  @Test
  void roundOfAllOperationsAllocatesNothing() throws Exception {
    try (RealContext context = new RealContext();
        Fabric one = new VerbsFabricProvider().open(context);
        Fabric other = new VerbsFabricProvider().open(context)) {
      nearFabric = one;
      farFabric = other;
      connect();
      rounds(WARM_UP_ROUNDS);
      assertTrue(minBytes() < ROUNDS, "bytes were allocated in every round");
    }
  }

  private void connect() throws Exception {
    String host = Location.format(RailAddress.any(), 0);
    try (Fabric.Listening listening = farFabric.listen(host, far)) {
      nearFabric.connect(listening.location(), 1, near);
      await(() -> near.endpoint != null && far.endpoint != null);
    }
    region = near.endpoint.attach(far.endpoint.expose(4096, Access.REMOTE_ALL).key(), 4096);
    nearMemory = nearFabric.register(ByteBuffer.allocateDirect(4096));
    farMemory = farFabric.register(ByteBuffer.allocateDirect(4096));
  }

  /** The JIT may occasionally allocate on behalf of this thread. A leak would allocate in every round. */
  private long minBytes() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long least = Long.MAX_VALUE;
    for (int attempt = 0; attempt < 10; attempt++) {
      long before = threads.getCurrentThreadAllocatedBytes();
      rounds(ROUNDS);
      least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
    }
    return least;
  }

  private void rounds(int rounds) {
    for (int i = 0; i < rounds; i++) {
      far.endpoint.postReceive(i, farMemory, 0, 64);
      far.endpoint.postReceive(i, farMemory, 0, 0);
      post(request.write(nearMemory, 0, 256, region, 0));
      near.endpoint.notifyPeer();
      post(request.read(nearMemory, 1024, 256, region, 512));
      post(request.send(nearMemory, 512, 64));
      request.write(nearMemory, 0, 16, region, 64).opcode = Opcode.WRITE_WITH_IMMEDIATE;
      post(request);
      request.read(nearMemory, 2048, 8, region, 1024).opcode = Opcode.FETCH_ADD;
      post(request);
      int nearExpected = near.completions + COMPLETIONS_A_ROUND;
      int farExpected = far.completions + 2;
      while (near.completions < nearExpected || far.completions < farExpected) {
        nearFabric.poll(16);
        farFabric.poll(16);
      }
    }
  }

  private void post(WorkRequest prepared) {
    assertEquals(PostResult.POSTED, near.endpoint.post(prepared.withId(1)));
  }

  private void await(BooleanSupplier condition) {
    while (!condition.getAsBoolean()) {
      nearFabric.poll(16);
      farFabric.poll(16);
    }
  }

  private static final class Counting implements FabricListener {

    private Endpoint endpoint;
    private int completions;

    @Override
    public void onConnected(Endpoint connected, long attempt) {
      endpoint = connected;
    }

    @Override
    public void onConnectFailed(long attempt, String reason) {
      throw new IllegalStateException(reason);
    }

    @Override
    public void onCompletion(Endpoint about, Completion completion) {
      if (!completion.succeeded()) {
        throw new IllegalStateException(completion.toString());
      }
      completions++;
    }

    @Override
    public void onError(Endpoint about, String reason) {
      throw new IllegalStateException(reason);
    }

    @Override
    public void onDrained(Endpoint about) {}
  }
}
