package io.railflux.lab;

import io.railflux.engine.session.VirtualChannel;
import io.railflux.engine.stream.Exchanges;
import io.railflux.engine.stream.PeerFlux;
import io.railflux.pipeline.Outgoing;
import java.nio.ByteBuffer;
import reactor.core.publisher.Flux;

/**
 * A subscriber that resubscribes many times to a source that fails at once. The source is a stream name in use, a
 * closed peer, or a request that is too large or cannot be encoded. Each failure must arrive in a separate duty cycle,
 * so that every other flow had its turn in between (D17).
 */
final class InlineFailures {

  private static final String TAKEN = "taken";

  /** The cause of the failures. */
  private enum Kind {
    TAKEN_NAME,
    /** Fails after the end of the session. */
    CLOSED_PEER,
    OVERSIZED_REQUEST,
    UNENCODABLE_REQUEST
  }

  private final SimulatedNode node;
  private final VirtualChannel channel;
  private final Journal journal;
  private long lastCycle = -1;

  private InlineFailures(SimulatedNode node, VirtualChannel channel, Journal journal) {
    this.node = node;
    this.channel = channel;
    this.journal = journal;
  }

  /** Starts such a subscriber for a current peer of the node. Engine thread. */
  static void begin(
      SimulatedNode node, VirtualChannel channel, Journal journal, SeededRandom random) {
    Kind kind = Kind.values()[random.below(Kind.values().length)];
    int times = random.between(10, 200);
    InlineFailures failures = new InlineFailures(node, channel, journal);
    failures
        .failing(kind, random.nextLong())
        .doOnError(e -> failures.failed(kind))
        .retry(times)
        .subscribe(value -> {}, e -> {});
  }

  private Flux<?> failing(Kind kind, long name) {
    return switch (kind) {
      case TAKEN_NAME -> {
        receive(TAKEN).subscribe(value -> {}, e -> {});
        yield receive(TAKEN);
      }
      case CLOSED_PEER -> receive("never announced " + name);
      case OVERSIZED_REQUEST -> request(channel.maxMessageBytes() + 1);
      case UNENCODABLE_REQUEST -> request(1);
    };
  }

  private Flux<?> receive(String name) {
    return new PeerFlux.Messages(channel.streams(), name, Wiring.CODEC);
  }

  private Flux<?> request(int bytes) {
    var route = new Exchanges.RouteKey("nobody", "none", Wiring.CODEC);
    return new PeerFlux.Replies<>(channel.streams(), route, bytes, UNENCODABLE);
  }

  private void failed(Kind kind) {
    long cycle = node.engine().cycles();
    journal.record(Seen.FAILED_AT_ONCE, node.name().charAt(0), kind.ordinal());
    journal.require(
        cycle != lastCycle || !channel.engine().inEngine(),
        node.name() + ": " + kind
            + " failed twice in a cycle, and other flows had no turn in between");
    lastCycle = cycle;
  }

  private static final Outgoing<Integer> UNENCODABLE = new Outgoing<>() {
    @Override
    public int maxBodyBytes(Integer bytes) {
      return bytes;
    }

    @Override
    public void encode(Integer bytes, ByteBuffer body) {
      throw new IllegalStateException("a codec of the workload");
    }
  };
}
