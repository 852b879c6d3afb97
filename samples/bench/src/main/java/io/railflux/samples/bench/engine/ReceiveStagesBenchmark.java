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
 * What the receiver's stages cost one by one, for messages of 64 bytes that share frames. The operators
 * behind them are in {@code PipelineBenchmark}.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 1, jvmArgsAppend = "-XX:+UseParallelGC")
public class ReceiveStagesBenchmark {

  /** A ring that is full again before each measurement. */
  @State(Scope.Thread)
  public static class Ring {

    private final FullRing ring = new FullRing();

    @Setup(Level.Invocation)
    public void fill() {
      ring.fill();
    }
  }

  /** The numbers of a peer's frames. */
  @State(Scope.Thread)
  public static class Window {

    private final ReceiveWindow window =
        new ReceiveWindow(EngineConfig.Limits.DEFAULT.reorderWindow(), 0);
  }

  /** Find, copy and validate the header, clear the heads: for a message, of a frame nobody opens. */
  @Benchmark
  @OperationsPerInvocation(FullRing.MESSAGES)
  public int poll(Ring full) {
    return full.ring.poll(frame -> true);
  }

  /** The same, and the messages are found in their frames. */
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

  /** For a frame that comes in order. */
  @Benchmark
  public boolean receiveWindow(Window numbers) {
    return numbers.window.acceptNext(numbers.window.expected());
  }

  /** For two frames that come in each other's place. */
  @Benchmark
  public ReceiveWindow.Verdict reorderTwo(Window numbers) {
    long next = numbers.window.expected();
    numbers.window.accept(next + 1);
    return numbers.window.accept(next);
  }
}
