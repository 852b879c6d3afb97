package io.railflux;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.railflux.message.Codecs;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** A node between two others whose pipeline forwards the messages of one peer to the other. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class RelayTest {

  private static final long COUNT = 300_000;

  @RegisterExtension
  final LeakCheck leaks = new LeakCheck();

  @RegisterExtension
  final Nodes nodes = new Nodes(leaks);

  private Nodes.Pair producer;
  private Nodes.Pair consumer;

  /** Connects the peers, whose turns follow the order of connection. */
  private void connect(boolean producerFirst) {
    Node middle = nodes.start("middle");
    String address = nodes.newAddress();
    middle.bind(address).block(Nodes.PATIENCE);
    if (producerFirst) {
      producer = nodes.join(middle, nodes.start("producer"), address);
    }
    consumer = nodes.join(middle, nodes.start("consumer"), address);
    if (!producerFirst) {
      producer = nodes.join(middle, nodes.start("producer"), address);
    }
  }

  /** Doubles the values of the producer on their way to the consumer. */
  private Mono<Void> relay() {
    Flux<Long> numbers = producer.toClient().receive("in", Codecs.int64());
    return consumer.toClient().send("out", Codecs.int64(), numbers.map(n -> 2 * n));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void forwardsAStream(boolean producerFirst) {
    connect(producerFirst);
    Flux<Long> numbers = Flux.range(0, (int) COUNT).map(Integer::longValue);
    Mono<Void> sent = producer.toServer().send("in", Codecs.int64(), numbers);
    Mono<Long> inOrder = consumer
        .toServer()
        .receive("out", Codecs.int64())
        .reduce(0L, (seen, number) -> number == 2 * seen ? seen + 1 : seen);

    long seen = Mono.zip(inOrder, sent.thenReturn(1), relay().thenReturn(1))
        .block(Nodes.PATIENCE)
        .getT1();

    assertEquals(COUNT, seen);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void forwardsASingleMessageImmediately(boolean producerFirst) {
    connect(producerFirst);
    Sinks.Many<Long> numbers = Sinks.many().unicast().onBackpressureBuffer();
    producer.toServer().send("in", Codecs.int64(), numbers.asFlux()).subscribe(x -> {}, e -> {});
    relay().subscribe(x -> {}, e -> {});
    // Each value is sent after the previous one arrived.
    Flux<Long> received = consumer
        .toServer()
        .receive("out", Codecs.int64())
        .doOnSubscribe(s -> numbers.tryEmitNext(0L).orThrow())
        .doOnNext(number -> numbers.tryEmitNext(number / 2 + 1).orThrow());

    assertEquals(2 * 999L, received.elementAt(999).block(Nodes.PATIENCE));
  }
}
