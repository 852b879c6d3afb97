package io.railflux;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.railflux.message.Codec;
import io.railflux.message.Codecs;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** User code that blocks the engine thread is named in the log once, while it blocks. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class HeldEngineTest {

  private static final Route<Integer, Integer> ROUTE =
      new Route<>("inc", Codecs.int32(), Codecs.int32());

  /** Blocks the encoding thread. */
  private record Holding(Runnable hold) implements Codec<Integer> {

    @Override
    public String name() {
      return "int32";
    }

    @Override
    public int maxEncodedBytes(Integer value) {
      return Integer.BYTES;
    }

    @Override
    public void encode(Integer value, ByteBuffer target) {
      hold.run();
      target.putInt(value);
    }

    @Override
    public Integer decode(ByteBuffer source) {
      return source.getInt();
    }
  }

  /** The kinds of user code that block the client's engine, and their names in the log. */
  enum Holder {
    SUBSCRIBER("the subscriber or codec of stream 'ticks' of peer 'server'", (pair, hold) -> {
      pair.toServer().receive("ticks", Codecs.int32()).subscribe(value -> hold.run());
      pair.toClient().send("ticks", Codecs.int32(), Flux.just(1)).subscribe(null, e -> {});
    }),
    SUBSCRIBER_OF_REPLY(
        "the subscriber or a codec of a request for route 'inc' of peer 'server'", (pair, hold) -> {
          pair.server().respond(ROUTE, Mono::just);
          pair.toServer().request(ROUTE, 1).subscribe(value -> hold.run());
        }),
    HANDLER("the handler or a codec of route 'inc', requested by peer 'server'", (pair, hold) -> {
      pair.client().respond(ROUTE, value -> {
        hold.run();
        return Mono.just(value);
      });
      pair.toClient().request(ROUTE, 1).subscribe(value -> {}, e -> {});
    }),
    PUBLISHER(
        "the publisher, a codec or the result of stream 'ticks' to peer 'server'", (pair, hold) -> {
          pair.toClient().receive("ticks", Codecs.int32()).subscribe(value -> {}, e -> {});
          Flux<Integer> values = Flux.just(1).doOnNext(value -> hold.run());
          pair.toServer().send("ticks", Codecs.int32(), values).subscribe(null, e -> {});
        }),
    PUBLISHER_THAT_IS_SUBSCRIBED_TO(
        "the publisher, a codec or the result of stream 'ticks' to peer 'server'", (pair, hold) -> {
          Flux<Integer> values = Flux.just(1).doFirst(hold);
          pair.toServer().send("ticks", Codecs.int32(), values).subscribe(null, e -> {});
        }),
    CODEC(
        "the publisher, a codec or the result of stream 'ticks' to peer 'server'", (pair, hold) -> {
          pair.toClient().receive("ticks", Codecs.int32()).subscribe(value -> {}, e -> {});
          pair.toServer().send("ticks", new Holding(hold), Flux.just(1)).subscribe(null, e -> {});
        }),
    CODEC_OF_REQUEST(
        "the subscriber or a codec of a request for route 'inc' of peer 'server'", (pair, hold) -> {
          Route<Integer, Integer> route = new Route<>("inc", new Holding(hold), Codecs.int32());
          pair.toServer().request(route, 1).subscribe(value -> {}, e -> {});
        }),
    RESULT_OF_SEND(
        "the publisher, a codec or the result of stream 'ticks' to peer 'server'", (pair, hold) -> {
          pair.toClient().receive("ticks", Codecs.int32()).subscribe(value -> {}, e -> {});
          pair.toServer()
              .send("ticks", Codecs.int32(), Flux.just(1))
              .subscribe(null, e -> {}, hold);
        }),
    TASK(
        "a task of the node's scheduler",
        (pair, hold) -> pair.client().scheduler().schedule(hold)),
    CALLBACK(
        "a task (",
        (pair, hold) ->
            pair.client().bind("nowhere:at:all").subscribe(address -> {}, e -> hold.run()));

    private final String named;

    @SuppressWarnings("ImmutableEnumChecker") // The lambdas capture nothing.
    private final BiConsumer<Nodes.Pair, Runnable> begin;

    Holder(String named, BiConsumer<Nodes.Pair, Runnable> begin) {
      this.named = named;
      this.begin = begin;
    }
  }

  @RegisterExtension
  final LeakCheck leaks = new LeakCheck();

  @RegisterExtension
  final Nodes nodes = new Nodes(leaks);

  /** Held by the test. BlockHound, which watches engine threads in tests, permits waits for a lock. */
  private final ReentrantLock gate = new ReentrantLock();

  private final AtomicBoolean released = new AtomicBoolean();
  private LogLines log;

  @BeforeEach
  void listen() {
    gate.lock();
    log = new LogLines();
  }

  @AfterEach
  void end() {
    release();
    log.close();
  }

  private void release() {
    if (released.compareAndSet(false, true)) {
      gate.unlock();
    }
  }

  private void waitForRelease() {
    gate.lock();
    try {
      // The test has released the lock.
    } finally {
      gate.unlock();
    }
  }

  @ParameterizedTest
  @EnumSource
  void isNamedWhileItWaits(Holder holder) {
    // The test must not fail because of the silence of the blocked engine.
    Nodes.Pair pair = nodes.pair(config -> config.detectWithin(Duration.ofSeconds(30)));
    holder.begin.accept(pair, this::waitForRelease);

    await().until(() -> log.count("its engine thread has been held for ") > 0);
    await()
        .untilAsserted(
            () -> assertEquals(1, log.count("node 'client'", "which waits"), log.text()));
    assertEquals(1, log.count(holder.named), log.text());
    assertEquals(1, log.count("io.railflux.HeldEngineTest.waitForRelease("), log.text());

    release();
    await().until(() -> log.count("its engine thread continues after ") > 0);
    assertEquals(1, log.count("its engine thread has been held for "), log.text());
  }

  @Test
  void isNamedWhileItComputes() {
    Nodes.Pair pair = nodes.pair();
    pair.client().scheduler().schedule(() -> {
      while (!released.get()) {
        // BlockHound considers onSpinWait a blocking call.
      }
    });

    await().until(() -> log.count("which computes: ") > 0);
    assertFalse(log.text().contains("which waits"), log.text());
    assertEquals(
        1,
        log.count(
            "of a subscriber to another thread with publishOn", "subscribeOn", "Mono.fromCallable"),
        log.text());
  }
}
