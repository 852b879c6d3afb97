package io.railflux.samples.bench;

import io.railflux.message.Codec;
import io.railflux.message.Codecs;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;

/** Writes a message into a mapped ring and reads it, on one thread: the lower bound for every stream. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class RingBenchmark {

  private static final int BATCH = 64;

  /** Size of the message without its header. */
  @Param({"32", "1024"})
  public int sizeBytes;

  private final Codec<byte[]> codec = Codecs.bytes();
  private SharedRing ring;
  private byte[] value;

  @Setup
  public void open() throws IOException {
    ring = SharedRing.create();
    value = new byte[sizeBytes];
  }

  @TearDown
  public void close() {
    ring.close();
  }

  @Benchmark
  public byte[] writeAndRead() {
    ring.write(codec, value);
    return ring.read(codec);
  }

  /** Writes and reads at a distance, as the engine does under load. */
  @Benchmark
  @OperationsPerInvocation(BATCH)
  public void writeAndReadBatch(Blackhole read) {
    for (int i = 0; i < BATCH; i++) {
      ring.write(codec, value);
    }
    for (int i = 0; i < BATCH; i++) {
      read.consume(ring.read(codec));
    }
  }
}
