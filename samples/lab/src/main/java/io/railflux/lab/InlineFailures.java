package io.railflux.lab;

import io.railflux.engine.session.VirtualChannel;
import io.railflux.engine.stream.Exchanges;
import io.railflux.engine.stream.PeerFlux;
import io.railflux.pipeline.Outgoing;
import java.nio.ByteBuffer;
import reactor.core.publisher.Flux;

/**
 * A subscriber that subscribes again at once, many times, to what fails at once: a name that is taken, a peer
 * that closed, a request that is too large or cannot be encoded. Each failure has to come in a duty cycle of
 * its own: then every other flow had its turn in between (D17).
 */
final class InlineFailures {

  private static final String TAKEN = "taken";

  /** What fails. */
  private enum Kind {
    TAKEN_NAME,
    /** Fails from the end of the session on. */
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

  /** One such subscriber for a peer that the node has now. On the engine's thread. */
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
        node.name() + ": " + kind + " failed twice in a cycle, and others had no turn in between");
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
