package io.railflux;

import io.railflux.engine.session.VirtualChannel;
import io.railflux.engine.stream.Exchanges;
import io.railflux.engine.stream.PeerFlux;
import io.railflux.pipeline.Incoming;
import io.railflux.pipeline.Outgoing;
import io.railflux.pipeline.ReceivePipeline;
import io.railflux.samples.bench.engine.EnginePair;
import io.railflux.samples.cli.measure.Payload;
import io.railflux.samples.cli.measure.PayloadCodec;
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
import reactor.core.publisher.Mono;

/**
 * The code of a request and its reply, over shared memory, in one process and on one thread. Excludes the transfer of
 * cache lines between cores.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 1, jvmArgsAppend = "-XX:+UseParallelGC")
public class RequestBenchmark {

  private static final int SIZE_BYTES = 64;

  private final PayloadCodec codec = new PayloadCodec(SIZE_BYTES);
  private final Route<Payload, Payload> route = new Route<>("echo", codec, codec);
  private final Payload payload = new Payload();
  private EnginePair engines;
  private VirtualChannel toFar;
  private long replies;

  @Setup(Level.Trial)
  public void open() throws IOException {
    payload.wrap(Payload.fill(SIZE_BYTES), 0, SIZE_BYTES);
    engines = EnginePair.connected();
    toFar = engines.toFar();
    engines
        .farEngine()
        .respond(
            route.name(),
            new Serving<>(
                route, Serving.ofValue((Payload asked) -> Mono.just(same(asked))), true, null));
  }

  private Payload same(Payload asked) {
    return payload.number(asked.number());
  }

  @TearDown(Level.Trial)
  public void close() {
    engines.close();
  }

  /** A round trip takes two cycles of the requester and one of the responder. */
  @Benchmark
  public long request() {
    long before = replies;
    Exchanges.RouteKey key = new Exchanges.RouteKey(
        route.name(), route.requestCodec().name(), route.replyCodec().name());
    ReceivePipeline.assembleSingle(
            new PeerFlux.Replies<>(
                toFar.streams(), key, payload.number(replies), Outgoing.plain("n", codec)),
            Incoming.plain(codec))
        .subscribe(reply -> replies++);
    engines.stepNear();
    engines.stepFar();
    engines.stepNear();
    if (replies != before + 1) {
      throw new IllegalStateException(replies - before + " came back");
    }
    return replies;
  }
}
