package io.railflux.samples.bench.peers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.railflux.samples.cli.measure.Sample;
import io.railflux.samples.cli.measure.Work;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Both sides in one process. The peers themselves verify that every message arrived. */
class PeerTest {

  private static final long NANOS = 50_000_000;
  private static final int LARGE_BYTES = 1 << 20;

  @AfterEach
  void leavesNothingInSharedMemory() throws IOException {
    try (Stream<Path> files = Files.list(Path.of("/dev/shm"))) {
      assertEquals(List.of(), files.filter(PeerTest::isOwn).toList());
    }
  }

  /** The name of a ring's file contains the creator's process id above bit 16. */
  private static boolean isOwn(Path file) {
    Matcher name = Pattern.compile("railflux-(?:raw|aeron)-(\\d+)(?:-\\w+)?")
        .matcher(file.getFileName().toString());
    return name.matches()
        && Long.parseLong(name.group(1)) >> Short.SIZE
            == ProcessHandle.current().pid();
  }

  static Stream<Peer> oneWay() {
    return Arrays.stream(Peer.values()).filter(peer -> peer.does(Exchange.ONE_WAY));
  }

  static Stream<Peer> roundTrip() {
    return Arrays.stream(Peer.values()).filter(peer -> peer.does(Exchange.ROUND_TRIP));
  }

  static Stream<Peer> wakeUp() {
    return Arrays.stream(Peer.values()).filter(peer -> peer.does(Exchange.WAKE_UP));
  }

  @ParameterizedTest
  @MethodSource("wakeUp")
  void wakesTheOtherSideForEachMessage(Peer peer) throws Exception {
    assumeTrue(peer.absence().isEmpty(), () -> peer.absence().orElse(""));
    Job job = new Job(Exchange.WAKE_UP, 64, Work.CHECKSUM);
    try (Contender.Far far = peer.make().serve(job);
        Near near = peer.make().connect(far.address(), job)) {
      for (int round = 0; round < 2; round++) {
        Sample sample = near.round(NANOS);
        assertTrue(sample.count() > 0);
        assertTrue(sample.count() <= NANOS / job.pauseNanos(), sample.toString());
      }
    }
  }

  @ParameterizedTest
  @MethodSource("oneWay")
  void carriesMessagesOneWay(Peer peer) throws Exception {
    assumeTrue(peer.absence().isEmpty(), () -> peer.absence().orElse(""));
    for (Job job : List.of(
        new Job(Exchange.ONE_WAY, 64, Work.TOUCH),
        new Job(Exchange.ONE_WAY, 64, Work.CHECKSUM),
        new Job(Exchange.ONE_WAY, LARGE_BYTES, Work.TOUCH),
        new Job(Exchange.ONE_WAY, LARGE_BYTES, Work.CHECKSUM))) {
      try (Contender.Far far = peer.make().serve(job);
          Near near = peer.make().connect(far.address(), job)) {
        // A first round may end before its connection is established.
        near.round(NANOS);
        assertTrue(near.round(NANOS).count() > 0);
        if (peer.does(Exchange.NOTHING)) {
          near.rest(NANOS);
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("roundTrip")
  void returnsMessagesOneByOne(Peer peer) throws Exception {
    assumeTrue(peer.absence().isEmpty(), () -> peer.absence().orElse(""));
    Job job = new Job(Exchange.ROUND_TRIP, 64, Work.CHECKSUM);
    try (Contender.Far far = peer.make().serve(job);
        Near near = peer.make().connect(far.address(), job)) {
      near.round(NANOS);
      Sample sample = near.round(NANOS);
      assertTrue(sample.count() > 0);
      assertEquals(sample.count(), sample.times().getTotalCount());
      assertTrue(sample.medianNanos() > 0);
    }
  }
}
