package io.railflux.lab;

import io.railflux.engine.stream.OutboundStream;
import io.railflux.engine.stream.PeerFlux;
import io.railflux.message.Codecs;
import io.railflux.pipeline.DeliverySink;
import io.railflux.pipeline.Incoming;
import io.railflux.pipeline.Outgoing;
import io.railflux.pipeline.ReceivePipeline;
import io.railflux.pipeline.SendPipeline;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.util.context.Context;

/**
 * A stream from the accepting node to one connecting node that continues over all sessions of the two nodes, as {@code
 * Node.publishFrom} and {@code Remote.receiveFrom} do. The connecting node stores its position with its results, so
 * that the position survives the process. Checks that every message arrives exactly once and in order.
 */
final class PositionedFlow {

  private static final String NAME = "positioned";
  private static final long COUNT = 200;
  private static final long AGAIN_NANOS = 1_000_000;

  private final Journal journal;
  private final SeededRandom random;
  private long position;
  private boolean complete;

  PositionedFlow(Journal journal, SeededRandom random) {
    this.journal = journal;
    this.random = random;
  }

  boolean isComplete() {
    return complete;
  }

  /** Continues the stream over a new session. */
  void resume(Side from, Side to) {
    if (to.node.limits().maxStreams() < Scenario.ENOUGH_STREAMS) {
      // The only place may belong to a stream without a receiver until the session ends.
      complete = true;
    }
    from.node.laterOnEngine(random.micros(0, 300), () -> offer(from));
    to.node.laterOnEngine(random.micros(0, 300), () -> receive(to));
  }

  private static boolean isOver(Side side) {
    return !side.isAlive() || side.channel.isClosed() || side.channel.isClosing();
  }

  private void offer(Side from) {
    if (complete || isOver(from)) {
      return;
    }
    OutboundStream stream = from.channel
        .streams()
        .open(NAME, Wiring.CODEC, true, null, new Offered(from), Context.empty());
    stream.beginOnDemand(begin -> SendPipeline.assemble(
            source(begin),
            Outgoing.plain(NAME, Codecs.int64()),
            from.node.engine(),
            stream,
            OutboundStream.PREFETCH)
        .subscribe(stream));
  }

  private static Flux<Long> source(long begin) {
    return Flux.range((int) begin, (int) Math.max(0, COUNT - begin)).map(Integer::longValue);
  }

  private void receive(Side to) {
    if (complete || isOver(to)) {
      return;
    }
    ReceivePipeline.assemble(
            new PeerFlux.Messages(
                to.channel.streams(), NAME, Wiring.CODEC, position, context -> {}),
            Incoming.plain(Codecs.int64()))
        .subscribe(new Receiving(to));
  }

  /** Offers the stream again after the end of the previous offer. */
  private final class Offered implements DeliverySink {

    private final Side from;

    Offered(Side from) {
      this.from = from;
    }

    @Override
    public void onAcknowledged(long messages) {}

    @Override
    public void onExpired(long index) {}

    @Override
    public void onCompleted() {
      again();
    }

    @Override
    public void onFailed(Throwable error) {
      again();
    }

    private void again() {
      if (from.isAlive()) {
        from.node.laterOnEngine(AGAIN_NANOS, () -> offer(from));
      }
    }
  }

  private final class Receiving implements CoreSubscriber<Long> {

    private final Side to;
    private Subscription subscription;

    Receiving(Side to) {
      this.to = to;
    }

    @Override
    public void onSubscribe(Subscription s) {
      subscription = s;
      s.request(random.between(1, 8));
    }

    @Override
    public void onNext(Long number) {
      journal.require(
          number == position,
          "message " + number + " came instead of " + position + " over restarts");
      position++;
      subscription.request(1);
    }

    @Override
    public void onError(Throwable error) {
      if (to.isAlive()) {
        to.node.laterOnEngine(AGAIN_NANOS, () -> receive(to));
      }
    }

    @Override
    public void onComplete() {
      journal.require(position == COUNT, "a stream completed at " + position + " over restarts");
      complete = true;
    }
  }
}
