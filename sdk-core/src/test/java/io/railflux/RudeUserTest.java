package io.railflux;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.railflux.exceptions.PeerClosedException;
import io.railflux.message.Codec;
import io.railflux.message.Codecs;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

// More than 400 lines: a specification with one test method for each statement.
/** User code that throws from a callback ends at most its own stream, but never the peer or the node. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class RudeUserTest {

  @RegisterExtension
  final LeakCheck leaks = new LeakCheck();

  @RegisterExtension
  final Nodes nodes = new Nodes(leaks);

  private Nodes.Pair pair;
  private final AtomicInteger thrown = new AtomicInteger();
  private final AtomicBoolean created = new AtomicBoolean();

  @BeforeEach
  void connect() {
    pair = nodes.pair();
  }

  private RuntimeException rude() {
    thrown.incrementAndGet();
    return new IllegalStateException("rude");
  }

  /** A raw subscriber: no Reactor operator catches what it throws. */
  private static class Subscriber<T> implements CoreSubscriber<T> {
    @Override
    public void onSubscribe(Subscription s) {
      s.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(T value) {}

    @Override
    public void onError(Throwable t) {}

    @Override
    public void onComplete() {}
  }

  private void assertAlive() {
    var both = Mono.zip(
        pair.toClient().receive("alive", Codecs.int32()).collectList(),
        pair.toServer().send("alive", Codecs.int32(), Flux.just(1, 2)).thenReturn(true));
    assertEquals(List.of(1, 2), both.block(Duration.ofSeconds(10)).getT1());
  }

  private void send(Flux<Integer> values) {
    pair.toServer().send("n", Codecs.int32(), values).subscribe(x -> {}, e -> {});
  }

  @Test
  void throwingFromOnNext() {
    AtomicBoolean failed = new AtomicBoolean();
    pair.toClient().receive("n", Codecs.int32()).subscribe(new Subscriber<>() {
      @Override
      public void onNext(Integer value) {
        throw rude();
      }

      @Override
      public void onError(Throwable t) {
        failed.set(true);
      }
    });
    send(Flux.range(0, 100));
    await().untilTrue(failed);
    assertEquals(1, thrown.get());
    assertAlive();
  }

  @Test
  void throwingFromOnComplete() {
    pair.toClient().receive("n", Codecs.int32()).subscribe(new Subscriber<>() {
      @Override
      public void onComplete() {
        throw rude();
      }
    });
    send(Flux.range(0, 100));
    await().until(() -> thrown.get() == 1);
    assertAlive();
  }

  @Test
  void throwingAnUndeclaredCheckedExceptionFromOnComplete() {
    pair.toClient().receive("n", Codecs.int32()).subscribe(new Subscriber<>() {
      @Override
      public void onComplete() {
        thrown.incrementAndGet();
        RudeUserTest.<RuntimeException>throwUndeclared(new IOException("rude"));
      }
    });
    send(Flux.range(0, 100));
    await().until(() -> thrown.get() == 1);
    assertAlive();
  }

  @SuppressWarnings("unchecked") // Other languages may throw any exception.
  static <E extends Throwable> void throwUndeclared(Throwable undeclared) throws E {
    throw (E) undeclared;
  }

  @Test
  void throwingFromOnError() {
    pair.toClient().receive("n", Codecs.int32()).subscribe(new Subscriber<>() {
      @Override
      public void onError(Throwable t) {
        throw rude();
      }
    });
    send(Flux.error(new IllegalStateException("expected")));
    await().until(() -> thrown.get() == 1);
    assertAlive();
  }

  /** The subscribing thread receives the exception. */
  @Test
  void throwingFromOnSubscribe() {
    Flux<Integer> numbers = pair.toClient().receive("n", Codecs.int32());
    Subscriber<Integer> rude = new Subscriber<>() {
      @Override
      public void onSubscribe(Subscription s) {
        throw rude();
      }
    };
    assertThrows(IllegalStateException.class, () -> numbers.subscribe(rude));
    assertEquals(1, thrown.get());
    assertAlive();
  }

  @Test
  void throwingWhenASendCompletes() {
    pair.toServer().send("n", Codecs.int32(), Flux.just(1)).subscribe(new Subscriber<>() {
      @Override
      public void onComplete() {
        throw rude();
      }
    });
    assertEquals(1, pair.toClient().receive("n", Codecs.int32()).blockLast(Nodes.PATIENCE));
    await().until(() -> thrown.get() == 1);
    assertAlive();
  }

  @Test
  void throwingFromReceipts() {
    pair.toServer()
        .sendWithReceipts("n", Codecs.int32(), Flux.just(1, 2))
        .subscribe(new Subscriber<>() {
          @Override
          public void onNext(io.railflux.message.Receipt value) {
            throw rude();
          }
        });
    pair.toClient().receive("n", Codecs.int32()).subscribe(x -> {}, e -> {});
    await().until(() -> thrown.get() > 0);
    assertAlive();
  }

  @Test
  void throwingFromThePublishersSubscription() {
    Flux<Integer> source = Flux.from(s -> s.onSubscribe(new Subscription() {
      @Override
      public void request(long n) {
        throw rude();
      }

      @Override
      public void cancel() {}
    }));
    send(source);
    pair.toClient().receive("n", Codecs.int32()).subscribe(x -> {}, e -> {});
    await().until(() -> thrown.get() > 0);
    assertAlive();
  }

  @Test
  void throwingFromTheCancellationOfAPublisher() {
    Flux<Integer> source = Flux.from(s -> s.onSubscribe(new Subscription() {
      @Override
      public void request(long n) {
        s.onNext(1);
      }

      @Override
      public void cancel() {
        throw rude();
      }
    }));
    send(source);
    pair.toClient().receive("n", Codecs.int32()).take(1).blockLast(Nodes.PATIENCE);
    await().until(() -> thrown.get() > 0);
    assertAlive();
  }

  private Flux<Integer> throwingFromCancel() {
    return Flux.create(sink -> {
      sink.onDispose(() -> {
        throw rude();
      });
      sink.next(1);
      created.set(true);
    });
  }

  @Test
  void throwingFromTheCancellationOfAPublisherWhenItsNodeCloses() {
    Node third = nodes.start("third");
    Nodes.Pair other = nodes.connect(pair.server(), third);
    pair.toClient().send("n", Codecs.int32(), throwingFromCancel()).subscribe(x -> {}, e -> {});
    other.toClient().send("n", Codecs.int32(), throwingFromCancel()).subscribe(x -> {}, e -> {});
    AtomicInteger got = new AtomicInteger();
    pair.toServer().receive("n", Codecs.int32()).subscribe(x -> got.incrementAndGet(), e -> {});
    other.toServer().receive("n", Codecs.int32()).subscribe(x -> got.incrementAndGet(), e -> {});
    await().until(() -> got.get() == 2);

    pair.server().close().block(Nodes.PATIENCE);

    assertEquals(2, thrown.get());
  }

  @Test
  void throwingFromTheCancellationOfAPublisherWhenThePeerClosesThatNeverReceivedIt() {
    var sent = pair.toServer().send("n", Codecs.int32(), throwingFromCancel()).toFuture();
    var closed = pair.toServer().onClose().toFuture();
    await().untilTrue(created);
    // A server that closes before the announcement arrives rejects the stream instead.
    await().until(() -> pair.toClient().explain().contains("'n'"));

    pair.server().close().block(Nodes.PATIENCE);

    await().until(() -> closed.isDone() && sent.isDone());
    assertEquals(1, thrown.get());
    assertInstanceOf(
        PeerClosedException.class,
        assertThrows(ExecutionException.class, sent::get).getCause());
  }

  @Test
  void throwingFromTheCancellationThatItsCodecCaused() {
    Codec<Integer> rude = new Codec<>() {
      @Override
      public String name() {
        return Codecs.int32().name();
      }

      @Override
      public int maxEncodedBytes(Integer value) {
        throw new IllegalArgumentException("expected");
      }

      @Override
      public void encode(Integer value, ByteBuffer slot) {}

      @Override
      public Integer decode(ByteBuffer slot) {
        return 0;
      }
    };
    Flux<Integer> elsewhere = Flux.from(s -> s.onSubscribe(new Subscription() {
      @Override
      public void request(long n) {
        Schedulers.parallel().schedule(() -> s.onNext(1));
      }

      @Override
      public void cancel() {
        throw rude();
      }
    }));
    var sent = pair.toServer().send("n", rude, elsewhere).toFuture();
    pair.toClient().receive("n", Codecs.int32()).subscribe(x -> {}, e -> {});

    await().until(sent::isCompletedExceptionally);
    assertEquals(1, thrown.get());
    assertAlive();
  }

  /** More elements are requested after values of another thread were read. */
  @Test
  void throwingFromALaterRequest() {
    Flux<Integer> elsewhere = Flux.from(s -> s.onSubscribe(new Subscription() {
      private boolean begun;

      @Override
      public void request(long n) {
        if (begun) {
          throw rude();
        }
        begun = true;
        Schedulers.parallel().schedule(() -> {
          for (int i = 0; i < n; i++) {
            s.onNext(i);
          }
        });
      }

      @Override
      public void cancel() {}
    }));
    var sent = pair.toServer().send("n", Codecs.int32(), elsewhere).toFuture();
    pair.toClient().receive("n", Codecs.int32()).subscribe(x -> {}, e -> {});

    await().until(sent::isCompletedExceptionally);
    assertEquals(1, thrown.get());
    assertAlive();
  }

  @Test
  void throwingFromThePublishersSubscribe() {
    var failed = pair.toServer()
        .send("n", Codecs.int32(), s -> {
          throw rude();
        })
        .toFuture();
    pair.toClient().receive("n", Codecs.int32()).subscribe(x -> {}, e -> {});
    await().until(failed::isCompletedExceptionally);
    assertAlive();
  }

  @Test
  void throwingFromAValueOfTheContext() {
    Node third = nodes.start("third", config -> config.propagateContext("k"));
    Nodes.Pair other = nodes.connect(pair.server(), third);
    Object value = new Object() {
      @Override
      public String toString() {
        throw rude();
      }
    };
    var sent = other
        .toServer()
        .send("n", Codecs.int32(), Flux.just(1))
        .contextWrite(context -> context.put("k", value))
        .toFuture();

    await().until(sent::isCompletedExceptionally);
    assertEquals(1, thrown.get());
  }

  /** Reactor rethrows such an exception out of the call that reports the event of a rail. */
  @Test
  void throwingAFatalErrorWhenARailJoins() {
    pair.server().railEvents().subscribe(event -> {
      thrown.incrementAndGet();
      throw fatal(NoClassDefFoundError.class);
    });

    Nodes.Pair other = nodes.connect(pair.server(), nodes.start("third"));

    assertEquals("third", other.toClient().name());
    assertEquals(1, thrown.get());
    assertAlive();
  }

  @Test
  void throwingAFatalErrorWhenAPeerConnects() {
    pair.server().peers().skip(1).subscribe(peer -> {
      thrown.incrementAndGet();
      throw fatal(NoClassDefFoundError.class);
    });

    Nodes.Pair other = nodes.connect(pair.server(), nodes.start("third"));

    await().until(() -> thrown.get() == 1);
    assertEquals("third", other.toClient().name());
    assertEquals("server", other.toServer().name());
    assertFalse(other.server().isClosed());
    other.toServer().send("n", Codecs.int32(), Flux.empty()).block(Nodes.PATIENCE);
    assertAlive();
  }

  @Test
  void throwingWhenTheNodeIsClosed() {
    Node third = nodes.start("third");
    Subscriber<Object> rude = new Subscriber<>() {
      @Override
      public void onComplete() {
        throw rude();
      }
    };
    third.peers().cast(Object.class).subscribe(rude);
    third.railEvents().cast(Object.class).subscribe(rude);
    Nodes.Pair other = nodes.connect(pair.server(), third);
    other.toServer().send("n", Codecs.int32(), Flux.empty()).block(Nodes.PATIENCE);

    third.close().block(Nodes.PATIENCE);

    assertEquals(2, thrown.get());
    assertAlive();
  }

  @Test
  void throwingFromARegistryOfMeters() {
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    Node third = nodes.start("third", config -> config.meterRegistry(registry));
    registry.config().onMeterAdded(meter -> {
      throw rude();
    });
    registry.config().onMeterRemoved(meter -> {
      throw rude();
    });
    Nodes.Pair other = nodes.connect(pair.server(), third);
    other.toServer().close().block(Nodes.PATIENCE);
    third.close().block(Nodes.PATIENCE);

    assertTrue(thrown.get() > 0, "no meter was registered");
    assertAlive();
  }

  @Test
  void throwingWhenAPeerConnects() {
    pair.server().peers().subscribe(new Subscriber<>() {
      @Override
      public void onNext(Peer value) {
        throw rude();
      }
    });
    String address = nodes.newAddress();
    pair.server().bind(address).block(Nodes.PATIENCE);
    nodes.start("another").connect(address).block(Nodes.PATIENCE);
    await().until(() -> thrown.get() > 0);
    assertAlive();
  }

  @Test
  void throwingWhenConnected() {
    String address = nodes.newAddress();
    pair.server().bind(address).block(Nodes.PATIENCE);
    pair.client().connect(address).subscribe(new Subscriber<>() {
      @Override
      public void onNext(Peer value) {
        throw rude();
      }
    });
    await().until(() -> thrown.get() == 1);
    assertAlive();
  }

  @Test
  void throwingWhenThePeerIsLost() {
    Node third = nodes.start("third");
    Nodes.Pair doomed = nodes.connect(pair.server(), third);
    doomed.toClient().receive("n", Codecs.int32()).subscribe(new Subscriber<>() {
      @Override
      public void onError(Throwable t) {
        throw rude();
      }
    });
    AtomicBoolean notified = new AtomicBoolean();
    doomed.toClient().receive("other", Codecs.int32()).subscribe(x -> {}, e -> notified.set(true));
    doomed.toClient().onClose().subscribe(new Subscriber<>() {
      @Override
      public void onComplete() {
        throw rude();
      }
    });
    third.close().block(Nodes.PATIENCE);
    await().until(() -> thrown.get() == 2);
    await().untilTrue(notified);
    assertAlive();
  }

  @Test
  void emittingMoreThanWasRequested() {
    Flux<Integer> source = Flux.from(s -> s.onSubscribe(new Subscription() {
      private boolean begun;

      @Override
      public void request(long n) {
        if (!begun) {
          begun = true;
          for (int i = 0; i < 100_000; i++) {
            s.onNext(i);
          }
        }
      }

      @Override
      public void cancel() {}
    }));
    var sent = pair.toServer().send("n", Codecs.int32(), source).toFuture();
    pair.toClient().receive("n", Codecs.int32()).take(3).subscribe();
    await().until(sent::isCompletedExceptionally);
    assertAlive();
  }

  @Test
  void fatalErrorsAreReported() {
    pair.toClient().receive("n", Codecs.int32()).subscribe(new Subscriber<>() {
      @Override
      public void onNext(Integer value) {
        thrown.incrementAndGet();
        throw new AssertionError("an Error, no Exception");
      }
    });
    send(Flux.just(1));
    await().until(() -> thrown.get() == 1);
    assertAlive();
  }

  /** A class cannot be loaded, or the code recurses endlessly. Reactor would rethrow such an error. */
  @ParameterizedTest
  @ValueSource(classes = {NoClassDefFoundError.class, StackOverflowError.class})
  void fatalErrorsEndTheirStreamOnly(Class<? extends Error> type) {
    Route<Integer, Integer> route = new Route<>("rude", Codecs.int32(), Codecs.int32());
    pair.server().respond(route, n -> {
      throw fatal(type);
    });
    var reply = pair.toServer().request(route, 1).toFuture();
    await().until(reply::isCompletedExceptionally);

    var received = pair.toClient()
        .receive("n", Codecs.int32())
        .<Integer>map(n -> {
          throw fatal(type);
        })
        .next()
        .toFuture();
    send(Flux.just(1));
    await().until(received::isCompletedExceptionally);

    var sent = pair.toServer()
        .send("m", Codecs.int32(), s -> {
          throw fatal(type);
        })
        .toFuture();
    pair.toClient().receive("m", Codecs.int32()).subscribe(x -> {}, e -> {});
    await().until(sent::isCompletedExceptionally);
    assertAlive();
  }

  private static Error fatal(Class<? extends Error> type) {
    return type == StackOverflowError.class
        ? new StackOverflowError("expected")
        : new NoClassDefFoundError("expected");
  }

  @Test
  void requestingInvalidDemand() {
    AtomicBoolean failed = new AtomicBoolean();
    pair.toClient().receive("n", Codecs.int32()).subscribe(new Subscriber<>() {
      @Override
      public void onSubscribe(Subscription s) {
        s.request(0);
        s.request(-1);
        s.request(1);
      }

      @Override
      public void onNext(Integer value) {
        failed.set(true);
      }
    });
    send(Flux.just(1));
    await().untilTrue(failed);
    assertAlive();
  }
}
