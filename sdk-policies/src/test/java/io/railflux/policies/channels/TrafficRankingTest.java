package io.railflux.policies.channels;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.railflux.policy.ChannelKind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The order in which peers get rings. */
@Tag("CH4")
class TrafficRankingTest {

  private record Entry(int peer, long messages, ChannelKind kind, boolean hasEndpoint) {}

  private static final Comparator<Entry> ORDER = Comparator.comparingLong(Entry::messages)
      .thenComparing(Entry::hasEndpoint)
      .thenComparing(Entry::kind)
      .reversed()
      .thenComparingInt(Entry::peer);

  private final TrafficRanking ranking = new TrafficRanking();

  private List<Integer> ranked(List<Entry> entries) {
    ranking.reset(entries.size());
    entries.forEach(e -> ranking.add(e.peer, e.messages, e.kind, e.hasEndpoint));
    ranking.sort();
    return IntStream.range(0, ranking.size()).map(ranking::peer).boxed().toList();
  }

  /** By messages, then by the channel that a peer has, then by number; silent peers have no place. */
  @Test
  void equalsAComparatorOfTheSameOrder() {
    Random random = new Random(7);
    for (int i = 0; i < 1_000; i++) {
      List<Entry> entries = new ArrayList<>();
      for (int peer = random.nextInt(50); peer >= 0; peer--) {
        ChannelKind kind = ChannelKind.values()[random.nextInt(3)];
        entries.add(new Entry(peer, random.nextInt(4), kind, random.nextBoolean()));
      }
      List<Entry> expected =
          entries.stream().filter(e -> e.messages > 0).sorted(ORDER).toList();
      assertEquals(expected.stream().map(Entry::peer).toList(), ranked(entries));
      for (int place = 0; place < expected.size(); place++) {
        assertEquals(expected.get(place).messages, ranking.messages()[place]);
        assertEquals(expected.get(place).hasEndpoint, ranking.hasEndpoint()[place]);
      }
    }
  }

  @Test
  void hugeCountsKeepTheirPlace() {
    assertEquals(
        List.of(1, 2, 0),
        ranked(List.of(
            new Entry(0, 1L << 35, ChannelKind.DEDICATED_RING, true),
            new Entry(1, Long.MAX_VALUE, ChannelKind.POOLED, false),
            new Entry(2, 1L << 36, ChannelKind.POOLED, false))));
  }
}
