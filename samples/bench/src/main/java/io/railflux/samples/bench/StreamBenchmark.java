package io.railflux.samples.bench;

import io.railflux.Node;
import io.railflux.Peer;
import io.railflux.Railflux;
import io.railflux.Route;
import io.railflux.message.Codec;
import io.railflux.message.Codecs;
import java.time.Duration;
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
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Whole streams and requests between two nodes of one process, over shared memory. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class StreamBenchmark {

  private static final int MESSAGES = 100_000;
  private static final int REQUESTS = 10_000;
  private static final int AT_ONCE = 64;
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Codec<byte[]> CODEC = Codecs.bytes();
  private static final Route<byte[], byte[]> ECHO = new Route<>("echo", CODEC, CODEC);

  /** Size of a message. */
  @Param({"64", "1024"})
  public int sizeBytes;

  private Node sender;
  private Node receiver;
  private Peer toReceiver;
  private Peer toSender;
  private byte[] value;
  private int streams;

  @Setup
  public void connect() {
    String address = "shm:railflux-bench-" + ProcessHandle.current().pid();
    receiver = Railflux.create().name("receiver").start().block(PATIENCE);
    sender = Railflux.create().name("sender").start().block(PATIENCE);
    receiver.bind(address).block(PATIENCE);
    receiver.respond(ECHO, Mono::just);
    toReceiver = sender.connect(address).block(PATIENCE);
    toSender = receiver.peers().blockFirst(PATIENCE);
    value = new byte[sizeBytes];
  }

  @TearDown
  public void close() {
    Mono.when(sender.close(), receiver.close()).block(PATIENCE);
  }

  @Benchmark
  @OperationsPerInvocation(MESSAGES)
  public long oneWay() {
    String name = "stream-" + streams++;
    Mono<Void> sent = toReceiver.send(name, CODEC, Flux.range(0, MESSAGES).map(i -> value));
    return Mono.zip(toSender.receive(name, CODEC).count(), sent.thenReturn(true))
        .block(PATIENCE)
        .getT1();
  }

  /** One outstanding request: the round-trip time, including the thread hops of the requester. */
  @Benchmark
  public byte[] request() {
    return toReceiver.request(ECHO, value).block(PATIENCE);
  }

  @Benchmark
  @OperationsPerInvocation(REQUESTS)
  public long requestsAtOnce() {
    return Flux.range(0, REQUESTS)
        .flatMap(i -> toReceiver.request(ECHO, value), AT_ONCE)
        .count()
        .block(PATIENCE);
  }
}
