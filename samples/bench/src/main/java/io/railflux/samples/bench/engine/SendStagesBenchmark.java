package io.railflux.samples.bench.engine;

import io.railflux.engine.send.BatchBuilder;
import io.railflux.pipeline.Encoding;
import io.railflux.pipeline.Outgoing;
import io.railflux.pipeline.Slot;
import io.railflux.policy.Marker;
import io.railflux.policy.Paths;
import io.railflux.policy.StripingPolicy;
import io.railflux.samples.cli.measure.Payload;
import io.railflux.samples.cli.measure.PayloadCodec;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The cost of each stage of the sender, for messages of 64 bytes that share frames. {@code PipelineBenchmark} measures
 * the operators before them.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 1, jvmArgsAppend = "-XX:+UseParallelGC")
public class SendStagesBenchmark {

  private static final int SIZE_BYTES = 64;
  private static final int RAILS = 2;

  private final Outgoing<Payload> outgoing = Outgoing.plain("n", new PayloadCodec(SIZE_BYTES));
  private final Payload payload = new Payload();
  private final Slot slot = new Slot();
  private final StripingPolicy striping = StripingPolicy.roundRobin();
  private final Paths rails = new Rails();
  private UnreadRing ring;

  @Setup
  public void open() throws IOException {
    payload.wrap(Payload.fill(SIZE_BYTES), 0, SIZE_BYTES);
    slot.buffer = ByteBuffer.allocateDirect(BatchBuilder.MAX_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    ring = new UnreadRing(SIZE_BYTES);
  }

  @TearDown
  public void close() {
    ring.close();
  }

  /** Writes to the same place repeatedly, so the cost of fetching its memory is excluded. */
  @Benchmark
  public int encode() {
    return Encoding.body(outgoing, payload, slot, 0, SIZE_BYTES);
  }

  /** Per frame with more than one rail. */
  @Benchmark
  public int stripe() {
    return striping.next(rails, BatchBuilder.MAX_BYTES, Marker.STREAM);
  }

  /** Per frame, while the space found before suffices. */
  @Benchmark
  public Slot creditGate() {
    return ring.claimFrame();
  }

  /** For the first frame of a turn: checks numbers, unacknowledged bytes and credit. */
  @Benchmark
  public Slot creditGateLooking() {
    ring.lookForRoom();
    return ring.claimFrame();
  }

  /** Claims, batches, sequences and publishes; the body stays unchanged. */
  @Benchmark
  @OperationsPerInvocation(UnreadRing.MESSAGES)
  public void publishBatch() {
    ring.publishBatch();
  }

  /** As {@code batch}, for a message without successor. */
  @Benchmark
  public void publishAlone() {
    ring.publishAlone();
  }

  /** {@link #RAILS} rails with no bytes in flight. */
  private static final class Rails implements Paths {

    @Override
    public int count() {
      return RAILS;
    }

    @Override
    public int id(int path) {
      return path;
    }

    @Override
    public int rail(int path) {
      return path;
    }

    @Override
    public long pendingBytes(int path) {
      return 0;
    }

    @Override
    public long pendingLargeBytes(int path) {
      return 0;
    }
  }
}
