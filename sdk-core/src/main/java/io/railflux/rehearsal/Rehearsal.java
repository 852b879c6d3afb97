package io.railflux.rehearsal;

import io.railflux.engine.base.Rail;
import io.railflux.engine.session.ChannelHost;
import io.railflux.engine.session.VirtualChannel;
import io.railflux.engine.stream.OutboundStream;
import io.railflux.engine.stream.PeerFlux;
import io.railflux.fabric.sim.SimConfig;
import io.railflux.fabric.sim.SimNetwork;
import io.railflux.message.Codec;
import io.railflux.message.Codecs;
import io.railflux.pipeline.DeliverySink;
import io.railflux.pipeline.Incoming;
import io.railflux.pipeline.Outgoing;
import io.railflux.pipeline.ReceivePipeline;
import io.railflux.pipeline.SendPipeline;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.reactivestreams.Publisher;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.util.context.Context;

/**
 * Connects two engines over a simulated network and sends messages in both directions. The first connection of a
 * process otherwise loads several hundred classes and links their lambdas on the engine thread, while a peer waits.
 * Running the code finds these classes without a list of names. The few messages stay far below the thresholds of the
 * compilers, so the profiles of the real fabrics remain untouched.
 */
public final class Rehearsal {

  /** System property; {@code false} disables rehearsals. */
  public static final String PROPERTY = "railflux.rehearsal";

  private static final Logger LOG = LoggerFactory.getLogger(Rehearsal.class);
  private static final AtomicBoolean BEGUN = new AtomicBoolean();
  private static final String STREAM = "rehearsal";
  private static final Codec<Long> CODEC = Codecs.int64();
  private static final long MESSAGES = 8;

  /** Virtual time. */
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final SimNetwork network = new SimNetwork(0, SimConfig.mapped());
  private final RehearsedEngine near = new RehearsedEngine(network, "near");
  private final RehearsedEngine far = new RehearsedEngine(network, "far");
  private long returned;

  private Rehearsal() {}

  /** Begins the rehearsal of this process on a thread of its own, unless one has begun. Never fails. */
  public static void begin() {
    if (!"false".equals(System.getProperty(PROPERTY)) && BEGUN.compareAndSet(false, true)) {
      Thread thread = new Thread(Rehearsal::runOrLog, "railflux-rehearsal");
      thread.setDaemon(true);
      thread.start();
    }
  }

  private static void runOrLog() {
    try {
      if (!run()) {
        LOG.debug("the rehearsal did not finish");
      }
    } catch (Throwable e) {
      // Nothing depends on it. The first connection loads what is missing.
      LOG.debug("the rehearsal failed", e);
    }
  }

  /** Returns whether all messages came back. */
  static boolean run() throws IOException {
    Rehearsal rehearsal = new Rehearsal();
    try {
      return rehearsal.play();
    } finally {
      rehearsal.near.close();
      rehearsal.far.close();
    }
  }

  private boolean play() throws IOException {
    far.engine().onAccepted(this::echo);
    Rail rail = far.engine().rails().get(0);
    String location = far.engine().listen(rail, STREAM).location();
    Rail.Target target = new Rail.Target(near.engine().rails().get(0), location);
    near.engine()
        .execute(() -> near.engine().connect(List.of(target), new ChannelHost.Listener() {
          @Override
          public void onEstablished(VirtualChannel channel) {
            exchange(channel);
          }

          @Override
          public void onFailed(String reason) {
            LOG.debug("the rehearsal did not connect: {}", reason);
          }
        }));
    return network.runUntil(() -> returned == MESSAGES, network.now() + PATIENCE_NANOS);
  }

  private void exchange(VirtualChannel channel) {
    receive(channel).subscribe(number -> returned++, error -> {});
    send(channel, near, Flux.range(0, (int) MESSAGES).map(Integer::longValue));
  }

  private void echo(VirtualChannel channel) {
    send(channel, far, receive(channel));
  }

  private static Flux<Long> receive(VirtualChannel channel) {
    return ReceivePipeline.assemble(
        new PeerFlux.Messages(channel.streams(), STREAM, CODEC.name()), Incoming.plain(CODEC));
  }

  private static void send(VirtualChannel channel, RehearsedEngine side, Publisher<Long> values) {
    OutboundStream stream =
        channel.streams().open(STREAM, CODEC.name(), null, new Unobserved(), Context.empty());
    SendPipeline.assemble(
            values, Outgoing.plain(STREAM, CODEC), side.engine(), stream, OutboundStream.PREFETCH)
        .subscribe(stream);
  }

  private static final class Unobserved implements DeliverySink {

    @Override
    public void onAcknowledged(long messages) {}

    @Override
    public void onExpired(long index) {}

    @Override
    public void onCompleted() {}

    @Override
    public void onFailed(Throwable error) {}
  }
}
