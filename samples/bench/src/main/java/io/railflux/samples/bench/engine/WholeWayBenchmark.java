package io.railflux.samples.bench.engine;

import io.railflux.engine.stream.ByteFairMerge;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
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
 * The cost of one message of a stream for its sender and its receiver, from source to subscriber. Uses shared memory in
 * one process and one thread, which excludes contention for the lines of the ring.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 1, jvmArgsAppend = "-XX:+UseParallelGC")
public class WholeWayBenchmark {

  private static final int SIZE_BYTES = 64;

  /** A turn ends with the bytes of a quantum, so it always covers the same number of messages of one size. */
  private static final int TURN = ByteFairMerge.QUANTUM_BYTES / (SIZE_BYTES + 64);

  /** A stream without messages in flight. */
  @State(Scope.Thread)
  public static class Stream {

    EndlessStream messages;

    @Setup(Level.Trial)
    public void open() throws IOException {
      messages = new EndlessStream(SIZE_BYTES);
    }

    @TearDown(Level.Trial)
    public void close() {
      messages.close();
    }
  }

  /** Receives outside of the measured time. */
  public static class Sending extends Stream {

    @Setup(Level.Invocation)
    public void receive() {
      messages.receive();
    }
  }

  /** Sends outside of the measured time. */
  public static class Receiving extends Stream {

    @Setup(Level.Invocation)
    public void send() {
      messages.send(TURN);
    }
  }

  @Benchmark
  @OperationsPerInvocation(TURN)
  public void send(Sending stream) {
    stream.messages.send(TURN);
  }

  @Benchmark
  @OperationsPerInvocation(TURN)
  public void receive(Receiving stream) {
    stream.messages.receive();
  }

  @Benchmark
  @OperationsPerInvocation(TURN)
  public void sendAndReceive(Stream stream) {
    stream.messages.send(TURN);
    stream.messages.receive();
  }
}
