package io.railflux.samples.quickstart;

import io.railflux.Peer;
import io.railflux.message.Codecs;
import java.util.concurrent.atomic.AtomicLong;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;

/** Demand of a subscriber reaches the remote producer, which emits requested values only. */
final class Backpressure {

  private Backpressure() {}

  /** Returns the number of values that a producer of a million emitted for a demand of ten. */
  static long madeFor(String address, long asked) {
    try (TwoNodes nodes = TwoNodes.connected(address)) {
      AtomicLong made = new AtomicLong();
      Flux<Long> numbers = Flux.range(1, 1_000_000).map(i -> made.incrementAndGet());
      nodes.toClient().send("numbers", Codecs.int64(), numbers).subscribe(done -> {}, lost -> {});

      Asking consumer = new Asking(asked);
      nodes.toServer().receive("numbers", Codecs.int64()).subscribe(consumer);
      consumer.received.asMono().block(TwoNodes.PATIENCE);
      consumer.dispose();
      return made.get();
    }
  }

  // tag::asking[]
  static final class Asking extends BaseSubscriber<Long> {

    final Sinks.One<Long> received = Sinks.one();
    private final long wanted;

    Asking(long wanted) {
      this.wanted = wanted;
    }

    @Override
    protected void hookOnSubscribe(Subscription subscription) {
      request(wanted);
    }

    @Override
    protected void hookOnNext(Long value) {
      if (value == wanted) {
        received.tryEmitValue(value);
      }
    }
  }
  // end::asking[]

  // tag::slow[]
  /** A blocking consumer uses a thread of its own; at most 64 values wait for it. */
  static Flux<Long> slowly(Peer peer) {
    return peer.receive("numbers", Codecs.int64())
        .publishOn(Schedulers.boundedElastic(), 64)
        .doOnNext(Backpressure::store);
  }
  // end::slow[]

  private static void store(long value) {
    try {
      Thread.sleep(value % 100 == 0 ? 10 : 0);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Returns the largest lead of a producer over a slow consumer. */
  static long lead(String address, int count) {
    try (TwoNodes nodes = TwoNodes.connected(address)) {
      AtomicLong made = new AtomicLong();
      AtomicLong most = new AtomicLong();
      Flux<Long> numbers = Flux.range(1, count).map(i -> made.incrementAndGet());
      nodes.toClient().send("numbers", Codecs.int64(), numbers).subscribe();
      slowly(nodes.toServer())
          .doOnNext(value -> most.accumulateAndGet(made.get() - value, Math::max))
          .blockLast(TwoNodes.PATIENCE);
      return most.get();
    }
  }

  public static void main(String[] args) {
    System.out.println("asked for 10, made " + madeFor("shm:backpressure", 10));
    System.out.println("never further ahead than " + lead("shm:backpressure", 1_000));
  }
}
