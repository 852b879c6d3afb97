package io.railflux.samples.bench.engine;

import io.railflux.engine.base.EngineConfig;
import io.railflux.engine.send.ReceiveWindow;
import io.railflux.wire.ReceivedFrame;
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
import org.openjdk.jmh.annotations.Warmup;

/**
 * The cost of each stage of the receiver, for messages of 64 bytes that share frames. {@code PipelineBenchmark}
 * measures the operators behind them.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 1, jvmArgsAppend = "-XX:+UseParallelGC")
public class ReceiveStagesBenchmark {

  /** A ring that is refilled before each measurement. */
  @State(Scope.Thread)
  public static class Ring {

    private final FullRing ring = new FullRing();

    @Setup(Level.Invocation)
    public void fill() {
      ring.fill();
    }
  }

  /** The sequence numbers of a peer's frames. */
  @State(Scope.Thread)
  public static class Window {

    private final ReceiveWindow window =
        new ReceiveWindow(EngineConfig.Limits.DEFAULT.reorderWindow(), 0);
  }

  /** Finds, copies and validates the header, and clears the heads. Per message, without opening the frame. */
  @Benchmark
  @OperationsPerInvocation(FullRing.MESSAGES)
  public int poll(Ring full) {
    return full.ring.poll(frame -> true);
  }

  /** As {@code header}, and finds the messages in their frames. */
  @Benchmark
  @OperationsPerInvocation(FullRing.MESSAGES)
  public int pollAndUnpack(Ring full) {
    return full.ring.poll(ReceiveStagesBenchmark::unpack);
  }

  private static boolean unpack(ReceivedFrame frame) {
    int bytes = 0;
    while (frame.nextMessage()) {
      bytes += frame.bodyBytes();
    }
    return bytes > 0;
  }

  /** Per frame that arrives in order. */
  @Benchmark
  public boolean receiveWindow(Window numbers) {
    return numbers.window.acceptNext(numbers.window.expected());
  }

  /** Per pair of frames in reverse order. */
  @Benchmark
  public ReceiveWindow.Verdict reorderTwo(Window numbers) {
    long next = numbers.window.expected();
    numbers.window.accept(next + 1);
    return numbers.window.accept(next);
  }
}
