package io.railflux.samples.bench;

import io.railflux.pipeline.Incoming;
import io.railflux.pipeline.Outgoing;
import io.railflux.pipeline.ReceivePipeline;
import io.railflux.pipeline.SendPipeline;
import io.railflux.pipeline.Slot;
import io.railflux.samples.cli.measure.Payload;
import io.railflux.samples.cli.measure.PayloadCodec;
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
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;
import reactor.core.publisher.Flux;

/** The public pipelines between a source or a subscriber and an idle engine. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 1, jvmArgsAppend = "-XX:+UseParallelGC")
public class PipelineBenchmark {

  private static final int SIZE_BYTES = 64;
  private static final int MESSAGES = 256;

  private final PayloadCodec codec = new PayloadCodec(SIZE_BYTES);
  private final Payload payload = new Payload();
  private final RepeatedFrames frames = new RepeatedFrames(SIZE_BYTES);
  private final Incoming<Payload> incoming = Incoming.plain(codec);
  private Taker<Payload> values;
  private Taker<Slot> slots;
  private Taker<Payload> messages;
  private long number;

  @Setup
  public void assemble(Blackhole taken) {
    values = new Taker<>(taken);
    slots = new Taker<>(taken);
    messages = new Taker<>(taken);
    payload.wrap(Payload.fill(SIZE_BYTES), 0, SIZE_BYTES);
    source().subscribe(values);
    IdleEngine engine = new IdleEngine(SIZE_BYTES, slots::took);
    SendPipeline.assemble(source(), Outgoing.plain("n", codec), engine, engine, MESSAGES)
        .subscribe(slots);
    ReceivePipeline.assemble(frames, incoming).subscribe(messages);
  }

  private Flux<Payload> source() {
    return Flux.generate(sink -> sink.next(payload.number(number++)));
  }

  /** The source without operators of the SDK. */
  @Benchmark
  @OperationsPerInvocation(MESSAGES)
  public long generate() {
    return values.take(MESSAGES);
  }

  /** From such a source to an encoded entry of an open frame. */
  @Benchmark
  @OperationsPerInvocation(MESSAGES)
  public long send() {
    return slots.take(MESSAGES);
  }

  /** Decodes a message of a frame. */
  @Benchmark
  public Payload decode() {
    return incoming.decode(frames.following());
  }

  /** From such a frame to a subscriber. */
  @Benchmark
  @OperationsPerInvocation(MESSAGES)
  public long receive() {
    return messages.take(MESSAGES);
  }
}
