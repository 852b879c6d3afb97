package io.railflux;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.message.Codecs;
import io.railflux.message.Envelope;
import io.railflux.message.Receipt;
import io.railflux.message.Receipt.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import reactor.core.publisher.Flux;

/** Messages that wait too long for a peer that does not read are not sent. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class TimeToLiveTest {

  private static final int MESSAGES = 200;
  private static final int MESSAGE_BYTES = 60_000;

  /** The first messages, which fit the ring. They have no time to live, because a busy machine may send them late. */
  private static final int PATIENT = 11;

  @RegisterExtension
  final LeakCheck leaks = new LeakCheck();

  @RegisterExtension
  final Nodes nodes = new Nodes(leaks);

  private static void spinWhile(AtomicBoolean stuck) {
    while (stuck.get()) {
      // BlockHound considers onSpinWait a blocking call.
    }
  }

  private static Envelope<byte[]> message(int index) {
    byte[] bytes = new byte[MESSAGE_BYTES];
    bytes[0] = (byte) index;
    Envelope<byte[]> message = Envelope.of(bytes);
    return index < PATIENT ? message : message.withTimeToLive(Duration.ofMillis(100));
  }

  @Test
  void expiredMessagesAreReportedByReceiptsAndNeverArrive() {
    Nodes.Pair pair = nodes.pair();
    AtomicBoolean stuck = new AtomicBoolean(true);
    List<Integer> got = new CopyOnWriteArrayList<>();
    pair.toClient().receive("n", Codecs.bytes()).subscribe(bytes -> {
      if (got.isEmpty()) {
        spinWhile(stuck);
      }
      got.add(bytes[0] & 0xFF);
    });
    List<Receipt> receipts = new CopyOnWriteArrayList<>();
    var done = pair.toServer()
        .sendEnvelopesWithReceipts(
            "n",
            Codecs.bytes(),
            Flux.range(0, MESSAGES).map(TimeToLiveTest::message).hide())
        .doOnNext(receipts::add)
        .then()
        .toFuture();
    // The ring is full, and requested messages beyond it expire.
    await()
        .pollDelay(Duration.ofMillis(300))
        .until(() -> receipts.stream().noneMatch(r -> r.index() == MESSAGES - 1));
    stuck.set(false);
    await().until(done::isDone);

    List<Integer> delivered = new ArrayList<>();
    for (int i = 0; i < receipts.size(); i++) {
      assertEquals(i, receipts.get(i).index());
      if (receipts.get(i).outcome() == Outcome.ACKNOWLEDGED) {
        delivered.add(i);
      }
    }
    assertEquals(MESSAGES, receipts.size());
    assertEquals(delivered, got);
    assertTrue(delivered.size() < MESSAGES, "some messages expired");
    assertTrue(delivered.size() >= PATIENT, "messages without a time to live did not");
  }
}
