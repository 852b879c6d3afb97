package io.railflux.fabric.verbs;

import io.railflux.fabric.Access;
import io.railflux.fabric.Completion;
import io.railflux.fabric.CompletionStatus;
import io.railflux.fabric.Endpoint;
import io.railflux.fabric.ExposedRegion;
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
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.SynchronousQueue;

/**
 * Measures half a round trip of 64 B and the bandwidth of 1 MiB writes, for comparison with {@code ib_write_lat} and
 * {@code ib_write_bw}. Two threads use one fabric each. The argument {@code host@source} selects the wire.
 */
public final class VerbsFigures {

  private static final int SMALL = 64;
  private static final int LARGE = 1 << 20;
  private static final int WARM_UP = 500;
  private static final int ROUNDS = 2_000;
  private static final int WRITES = 200;
  private static final int WINDOW = 4;

  private VerbsFigures() {}

  public static void main(String[] arguments) throws Exception {
    loadHeapSegments();
    String any = Location.format(RailAddress.any(), 0).replaceFirst(":0$", "");
    String[] place = (arguments.length > 0 ? arguments[0] : any).split("@", 2);
    SynchronousQueue<Long> keys = new SynchronousQueue<>();
    SynchronousQueue<String> address = new SynchronousQueue<>();
    Thread echo = Thread.ofPlatform().daemon().start(() -> {
      try (Side side = new Side()) {
        side.echo(place[0], address, keys);
      } catch (Exception e) {
        e.printStackTrace();
        System.exit(1);
      }
    });
    try (Side side = new Side()) {
      String source = place.length > 1 ? "@" + place[1] : "";
      side.connect(address.take() + source);
      side.exchangeKeys(keys, true);
      side.measureLatency();
      side.measureBandwidth();
    }
    echo.join();
  }

  /**
   * Loads a heap segment before the JIT compiles {@code Devices.pollOne}. Otherwise the first completion, which loads a
   * heap segment, deoptimizes the method while both threads execute it. On an emulated processor this crashed the JVM
   * at the first instruction of the method.
   */
  private static void loadHeapSegments() {
    MemorySegment.ofArray(new byte[1]);
  }

  /** One end: a fabric, an endpoint, and memory of both kinds. */
  private static final class Side implements FabricListener, AutoCloseable {

    private final RealContext context = new RealContext();
    private final Fabric fabric = new VerbsFabricProvider().open(context);
    private final LocalMemory source = fabric.register(ByteBuffer.allocateDirect(LARGE));
    private final WorkRequest request = new WorkRequest();
    private Endpoint endpoint;
    private ExposedRegion own;
    private RemoteRegion peers;
    private int announced;
    private int ended;
    private String failure;

    Side() throws IOException {}

    void connect(String location) {
      fabric.connect(location, 1, this);
      await(() -> endpoint != null);
    }

    void exchangeKeys(SynchronousQueue<Long> keys, boolean first) throws Exception {
      own = endpoint.expose(LARGE, Access.REMOTE_WRITE);
      long key = own.key();
      if (first) {
        keys.put(key);
        key = keys.take();
      } else {
        long taken = keys.take();
        keys.put(key);
        key = taken;
      }
      peers = endpoint.attach(key, LARGE);
      for (int i = 0; i < 64; i++) {
        endpoint.postReceive(i, source, 0, 0);
      }
    }

    void echo(String host, SynchronousQueue<String> address, SynchronousQueue<Long> keys)
        throws Exception {
      try (Fabric.Listening listening = fabric.listen(host + ":0", this)) {
        address.put(listening.location());
        await(() -> endpoint != null);
      }
      exchangeKeys(keys, false);
      for (int round = 1; round <= WARM_UP + ROUNDS; round++) {
        int expected = round;
        await(() -> announced >= expected);
        announce();
      }
      await(() -> failure != null);
    }

    void measureLatency() {
      long[] nanos = new long[ROUNDS];
      for (int round = -WARM_UP; round < ROUNDS; round++) {
        int expected = announced + 1;
        long begun = System.nanoTime();
        announce();
        await(() -> announced == expected);
        if (round >= 0) {
          nanos[round] = (System.nanoTime() - begun) / 2;
        }
      }
      Arrays.sort(nanos);
      System.out.printf(
          "half a round trip of %d B: median %.1f us, 99 %% %.1f us%n",
          SMALL, nanos[ROUNDS / 2] / 1e3, nanos[ROUNDS * 99 / 100] / 1e3);
    }

    void measureBandwidth() {
      int before = ended;
      long begun = System.nanoTime();
      for (int write = 0; write < WRITES; write++) {
        int allowed = write - WINDOW;
        await(() -> ended - before > allowed);
        post(request.write(source, 0, LARGE, peers, 0).withId(write));
      }
      await(() -> ended - before == WRITES);
      double seconds = (System.nanoTime() - begun) / 1e9;
      System.out.printf("writes of 1 MiB: %.0f MB/s%n", (double) LARGE * WRITES / seconds / 1e6);
    }

    private void announce() {
      request.write(source, 0, SMALL, peers, 0);
      request.opcode = Opcode.WRITE_WITH_IMMEDIATE;
      post(request);
    }

    private void post(WorkRequest prepared) {
      if (endpoint.post(prepared) != PostResult.POSTED) {
        throw new IllegalStateException("not posted: " + endpoint.state() + " " + failure);
      }
    }

    private interface Condition {
      boolean holds();
    }

    private void await(Condition condition) {
      while (!condition.holds()) {
        fabric.poll(64);
      }
    }

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
      if (completion.status() != CompletionStatus.SUCCESS) {
        failure = completion.toString();
      } else if (completion.opcode() == Opcode.RECEIVE_IMMEDIATE) {
        announced++;
        about.postReceive(completion.id(), source, 0, 0);
      } else {
        ended++;
      }
    }

    @Override
    public void onError(Endpoint about, String reason) {
      failure = reason;
    }

    @Override
    public void onDrained(Endpoint about) {}

    @Override
    public void close() {
      fabric.close();
      context.close();
    }
  }
}
