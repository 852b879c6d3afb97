package io.railflux.samples.bench.engine;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The code of a single message that is answered immediately, over shared memory, in one process and on one thread.
 * Excludes the transfer of cache lines between cores.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 1, jvmArgsAppend = "-XX:+UseParallelGC")
public class RoundTripBenchmark {

  private Rally rally;

  @Setup(Level.Trial)
  public void open() throws IOException {
    rally = new Rally(64);
  }

  @TearDown(Level.Trial)
  public void close() {
    rally.close();
  }

  /** Both directions. */
  @Benchmark
  public void thereAndBack() {
    rally.play();
  }

  /** A cycle without work. */
  @Benchmark
  public void await() {
    rally.await();
  }
}
