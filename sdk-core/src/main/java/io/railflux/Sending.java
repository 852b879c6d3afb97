package io.railflux;

import io.railflux.engine.OutboundStream;
import io.railflux.engine.VirtualChannel;
import io.railflux.message.Headers;
import io.railflux.pipeline.DeliverySink;
import io.railflux.pipeline.Metadatas;
import io.railflux.pipeline.Outgoing;
import io.railflux.pipeline.SendPipeline;
import java.util.concurrent.CancellationException;
import org.reactivestreams.Publisher;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/** One subscription of a send: the stream it opened, and how to give it up. */
final class Sending<T> {

  private final Node node;
  private final VirtualChannel channel;
  private final String name;
  private final String codec;
  private final Outgoing<T> outgoing;

  // Engine thread only.
  private OutboundStream stream;
  private boolean cancelled;

  Sending(Node node, VirtualChannel channel, String name, String codec, Outgoing<T> outgoing) {
    this.node = node;
    this.channel = channel;
    this.name = name;
    this.codec = codec;
    this.outgoing = outgoing;
  }

  void start(Publisher<? extends T> values, ContextView context, DeliverySink sink) {
    channel.engine().execute(() -> open(values, context, sink));
  }

  private void open(Publisher<? extends T> values, ContextView context, DeliverySink sink) {
    if (cancelled) {
      return;
    }
    if (channel.isClosed() || channel.isClosing()) {
      sink.onFailed(channel.closedError("send '" + name + "'"));
      return;
    }
    try {
      var metadata = Metadatas.encode(Headers.empty(), node.settings().pick(context));
      stream = channel.streams().open(name, codec, metadata, sink, Context.of(context));
    } catch (Throwable e) {
      // Of a name that cannot be sent, or of a value of the context, which may be the user's.
      sink.onFailed(e);
      return;
    }
    try {
      SendPipeline.assemble(values, outgoing, channel.engine(), stream, OutboundStream.PREFETCH)
          .subscribe(stream);
    } catch (Throwable e) {
      // What Reactor does not turn into a signal: the publisher's class could not be loaded, say.
      stream.cancel(e);
    }
  }

  void cancel() {
    channel.engine().execute(this::cancelOnEngine);
  }

  private void cancelOnEngine() {
    cancelled = true;
    if (stream != null) {
      stream.cancel(
          new CancellationException("stream '" + name + "' was cancelled by " + node.name()));
    }
  }
}
