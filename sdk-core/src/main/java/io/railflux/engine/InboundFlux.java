package io.railflux.engine;

import io.railflux.wire.ReceivedFrame;
import java.util.Map;
import java.util.function.Consumer;
import reactor.core.CoreSubscriber;

/** The frames of one named stream of a peer. Unicast: one subscriber at a time. */
public final class InboundFlux extends PeerFlux {

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
    super(channel);
    this.name = name;
    this.codec = codec;
    this.contextListener = contextListener;
  }

  @Override
  String what() {
    return "receive '" + name + "'";
  }

  @Override
  void begin(CoreSubscriber<? super ReceivedFrame> actual) {
    channel.streams().receive(name, codec, contextListener, actual);
  }
}
