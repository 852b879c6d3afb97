package io.railflux;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.railflux.exceptions.RemoteStreamException;
import io.railflux.message.Codecs;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.reactivestreams.Publisher;
import reactor.core.Exceptions;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A publisher that throws an undeclared checked exception from {@code subscribe}, as other languages permit. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class RudePublisherTest {

  private static final Publisher<Integer> RUDE =
      subscriber -> RudeUserTest.<RuntimeException>throwUndeclared(new IOException("rude"));

  @RegisterExtension
  final LeakCheck leaks = new LeakCheck();

  @RegisterExtension
  final Nodes nodes = new Nodes(leaks);

  private Nodes.Pair pair;

  @BeforeEach
  void connect() {
    pair = nodes.pair();
  }

  @AfterEach
  void otherStreamsGoOn() {
    pair.toServer().send("other", Codecs.int32(), Flux.range(0, 3)).subscribe();
    assertEquals(2, pair.toClient().receive("other", Codecs.int32()).blockLast(Nodes.PATIENCE));
  }

  @Test
  void failsItsSend() {
    Mono<Void> sent = pair.toServer().send("n", Codecs.int32(), RUDE);

    Throwable thrown = assertThrows(RuntimeException.class, () -> sent.block(Nodes.PATIENCE));
    assertInstanceOf(IOException.class, Exceptions.unwrap(thrown));
  }

  @Test
  void failsItsReply() {
    Route<Integer, Integer> route = new Route<>("rude", Codecs.int32(), Codecs.int32());
    pair.server().respondStream(route, asked -> RUDE);

    Flux<Integer> replies = pair.toServer().requestStream(route, 1);
    assertThrows(RemoteStreamException.class, () -> replies.blockLast(Nodes.PATIENCE));
  }
}
