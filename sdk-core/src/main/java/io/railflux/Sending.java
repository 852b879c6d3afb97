package io.railflux;

import io.railflux.engine.session.VirtualChannel;
import io.railflux.engine.stream.OutboundStream;
import io.railflux.message.Headers;
import io.railflux.pipeline.DeliverySink;
import io.railflux.pipeline.Metadatas;
import io.railflux.pipeline.Outgoing;
import io.railflux.pipeline.SendPipeline;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.function.LongFunction;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.MonoSink;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/** One subscription of a send: its stream and its cancellation. */
final class Sending<T> {

  /** Signals only the end of a send. */
  record End(MonoSink<Void> sink) implements DeliverySink {

    @Override
    public void onAcknowledged(long messages) {}

    @Override
    public void onExpired(long index) {}

    @Override
    public void onCompleted() {
      sink.success();
    }

    @Override
    public void onFailed(Throwable error) {
      sink.error(error);
    }
  }

  /**
   * Properties of a stream whose source begins with the first demand.
   *
   * @param positioned whether the receiver may give a position
   * @param offered whether the peer may leave the stream unreceived
   */
  record Start(boolean positioned, boolean offered) {}

  private final NodeConfig config;
  private final VirtualChannel channel;
  private final String name;
  private final String codec;
  private final Outgoing<T> outgoing;

  // Engine thread only.
  private OutboundStream stream;
  private boolean cancelled;

  Sending(
      NodeConfig config, VirtualChannel channel, String name, String codec, Outgoing<T> outgoing) {
    this.config = config;
    this.channel = channel;
    this.name = name;
    this.codec = codec;
    this.outgoing = outgoing;
  }

  void start(Publisher<? extends T> values, ContextView context, DeliverySink sink) {
    channel.engine().execute(() -> {
      if (open(false, context, sink)) {
        subscribe(values);
      }
    });
  }

  /**
   * Sends a stream whose source begins with the first demand, at the position of the remote subscriber.
   *
   * @param start properties of the stream
   */
  void startOnDemand(
      Start start,
      LongFunction<? extends Publisher<? extends T>> source,
      ContextView context,
      DeliverySink sink) {
    channel.engine().execute(() -> {
      if (open(start.positioned, context, sink)) {
        if (start.offered) {
          stream.isOffered();
        }
        stream.beginOnDemand(position -> subscribe(publisher(source, position)));
      }
    });
  }

  private static <T> Publisher<? extends T> publisher(
      LongFunction<? extends Publisher<? extends T>> source, long position) {
    try {
      return Objects.requireNonNull(
          source.apply(position), "the source of the stream returned null");
    } catch (Throwable e) {
      return Flux.error(e);
    }
  }

  private boolean open(boolean positioned, ContextView context, DeliverySink sink) {
    if (cancelled) {
      return false;
    }
    if (channel.isClosed() || channel.isClosing()) {
      fail(sink, channel.closedError(what()));
      return false;
    }
    try {
      var metadata = Metadatas.encode(Headers.empty(), config.pick(context));
      stream = channel.streams().open(name, codec, positioned, metadata, sink, Context.of(context));
      return true;
    } catch (Throwable e) {
      // Thrown for an invalid name, or by a context value of the user.
      fail(sink, e);
      return false;
    }
  }

  private void subscribe(Publisher<? extends T> values) {
    try {
      Outgoing<T> own = outgoing.forSubscription(channel.maxMessageBytes());
      SendPipeline.assemble(values, own, channel.engine(), stream, OutboundStream.PREFETCH)
          .subscribe(stream);
    } catch (Throwable e) {
      // Exceptions that Reactor does not convert to signals, for example if the class of the
      // publisher cannot be
      // loaded.
      stream.cancel(e);
    }
  }

  private String what() {
    return "send '" + name + "'";
  }

  private void fail(DeliverySink sink, Throwable error) {
    channel.engine().subscriptionFailed(what() + " to " + channel.description());
    sink.onFailed(error);
  }

  void cancel() {
    channel.engine().execute(this::cancelOnEngine);
  }

  private void cancelOnEngine() {
    cancelled = true;
    if (stream != null) {
      stream.cancel(
          new CancellationException("stream '" + name + "' was cancelled by " + config.name()));
    }
  }
}
