package io.railflux;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.message.Codecs;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import reactor.core.publisher.Flux;

/** The output of {@link Peer#explain} if one side misspelled the name of a stream. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class OneSidedStreamsTest {

  private static final String SENT = "streams sent, and not requested by the peer: ";
  private static final String ANNOUNCED = "streams announced by the peer, and not received here: ";
  private static final String RECEIVED = "streams received here, and not announced by the peer: ";

  @RegisterExtension
  final LeakCheck leaks = new LeakCheck();

  @RegisterExtension
  final Nodes nodes = new Nodes(leaks);

  private Peer sender;
  private Peer receiver;

  @BeforeEach
  void connect() {
    Nodes.Pair pair = nodes.pair();
    sender = pair.toServer();
    receiver = pair.toClient();
  }

  private void send(String name) {
    sender.send(name, Codecs.int64(), Flux.just(1L).concatWith(Flux.never())).subscribe();
  }

  private static void awaitExplained(Peer peer, String text) {
    await().atMost(Nodes.PATIENCE).until(() -> peer.explain().contains(text));
  }

  @Test
  void bothSidesListStreamsThatTheOtherDoesNotKnow() {
    receiver.receive("tirades", Codecs.int64()).subscribe(n -> {}, e -> {});
    send("trades");

    awaitExplained(receiver, ANNOUNCED + "'trades'");
    awaitExplained(receiver, RECEIVED + "'tirades'");
    awaitExplained(sender, SENT + "'trades'");
  }

  @Test
  void omitsStreamsThatBothSidesKnow() {
    send("trades");
    awaitExplained(receiver, ANNOUNCED + "'trades'");
    Long first = receiver
        .receive("trades", Codecs.int64())
        .doOnNext(n -> {
          assertFalse(receiver.explain().contains("streams"), receiver.explain());
          assertFalse(sender.explain().contains("streams"), sender.explain());
        })
        .blockFirst(Nodes.PATIENCE);

    assertTrue(first == 1L);
  }

  @Test
  void omitsStreamsThatAreNoLongerReceived() {
    receiver.receive("tirades", Codecs.int64()).subscribe().dispose();
    send("behind it");

    awaitExplained(receiver, ANNOUNCED + "'behind it'");
    assertFalse(receiver.explain().contains("tirades"), receiver.explain());
  }

  @Test
  void listsOnlySomeOfManyStreams() {
    for (int i = 10; i < 35; i++) {
      send("s" + i);
    }

    awaitExplained(sender, SENT + "'s10', 's11'");
    awaitExplained(sender, "'s29' and 5 more");
  }
}
