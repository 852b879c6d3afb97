package io.railflux.engine;

import io.railflux.wire.ReceivedFrame;
import java.util.Map;
import java.util.function.Consumer;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Operators;

/** The frames of one named stream of a peer. Unicast: one subscriber at a time. */
public final class InboundFlux extends Flux<ReceivedFrame> {

  private final VirtualChannel channel;
  private final String name;
  private final String codec;
  private final Consumer<Map<String, String>> contextListener;

  public InboundFlux(VirtualChannel channel, String name, String codec) {
    this(channel, name, codec, context -> {});
  }

  /** @param contextListener hears, before the first message, what the producer's context told */
  public InboundFlux(
      VirtualChannel channel,
      String name,
      String codec,
      Consumer<Map<String, String>> contextListener) {
    this.channel = channel;
    this.name = name;
    this.codec = codec;
    this.contextListener = contextListener;
  }

  @Override
  public void subscribe(CoreSubscriber<? super ReceivedFrame> actual) {
    if (channel.engine().inEngine()) {
      subscribeOnEngine(actual);
    } else {
      channel.engine().execute(() -> subscribeOnEngine(actual));
    }
  }

  private void subscribeOnEngine(CoreSubscriber<? super ReceivedFrame> actual) {
    if (channel.isClosed() || channel.isClosing()) {
      Operators.error(actual, channel.closedError("receive '" + name + "'"));
    } else {
      channel.streams().receive(name, codec, contextListener, actual);
    }
  }
}
