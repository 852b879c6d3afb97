package io.railflux.policies.channels;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.railflux.policies.channels.AdaptiveParameters.ChoiceLimits;
import io.railflux.policy.ChannelPolicy;
import io.railflux.policy.ChannelTraffic;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The table of communication statistics (T 4.2). */
@Tag("CH6")
class TrafficHistoryTest {

  private static final ChoiceLimits PAPER = AdaptiveParameters.PAPER.limits();

  /** Records ticks only. */
  private static final class Recorder implements ChannelPolicy {

    final TrafficHistory history;

    Recorder(int entries) {
      history = new TrafficHistory(new ChoiceLimits(0, 0, 0, entries, 0));
    }

    @Override
    public void decide(ChannelTraffic traffic) {
      history.add(traffic);
    }

    @Override
    public void left(int peer) {
      history.left(peer);
    }
  }

  @Test
  void theHistoryOfManyPeersIsThinned() {
    assertEquals(2_048, PAPER.historyEntries(1_024));
    assertEquals(512, PAPER.historyEntries(4_096));
    assertEquals(170, PAPER.historyEntries(65_536));
  }

  @Test
  void entriesAreDroppedWhenManyPeersJoin() {
    Recorder recorder = new Recorder(64);
    FakeTraffic node = new FakeTraffic(recorder, 1_024);
    for (int i = 0; i < 100; i++) {
      node.tick(1);
    }
    assertEquals(64, recorder.history.entries());
    while (node.peers() < 4_096) {
      node.join();
    }
    node.tick(1);
    assertEquals(16, recorder.history.entries());
    assertEquals(15, recorder.history.since(0, 0));
  }

  @Test
  void aWindowBeyondTheHistoryBeginsWithItsOldestTick() {
    Recorder recorder = new Recorder(4);
    FakeTraffic node = new FakeTraffic(recorder, 1);
    for (int i = 1; i <= 10; i++) {
      node.tick(i);
    }
    assertEquals(10, recorder.history.since(9, 0));
    assertEquals(8 + 9 + 10, recorder.history.since(0, 0));
  }

  /** Compares each window with the sum over a list of ticks. */
  @Test
  void windowsContainTheMessagesOfPresentPeersOnly() {
    int entries = 16;
    Random random = new Random(5);
    Recorder recorder = new Recorder(entries);
    FakeTraffic node = new FakeTraffic(recorder, 0);
    List<Deque<Long>> recent = new ArrayList<>();
    for (int tick = 1; tick <= 2_000; tick++) {
      change(node, recent, random);
      long[] messages = random.longs(node.peers(), 0, 100).toArray();
      node.tick(messages);
      int length = 1 + random.nextInt(entries - 1);
      for (int peer = 0; peer < node.peers(); peer++) {
        if (node.isPresent(peer)) {
          recent.get(peer).addFirst(messages[peer]);
          long expected =
              recent.get(peer).stream().limit(length).mapToLong(m -> m).sum();
          assertEquals(expected, recorder.history.since(tick - length, peer));
        }
      }
    }
  }

  private static void change(FakeTraffic node, List<Deque<Long>> recent, Random random) {
    if (random.nextInt(3) == 0 && node.peers() < 200) {
      int peer = node.join();
      if (peer == recent.size()) {
        recent.add(new ArrayDeque<>());
      }
      recent.get(peer).clear();
    } else if (node.peers() > 0 && random.nextInt(3) == 0) {
      int peer = random.nextInt(node.peers());
      if (node.isPresent(peer)) {
        node.leave(peer);
      }
    }
  }
}
