package io.railflux.engine;

import io.railflux.wire.ReceivedFrame;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Operators;

/** Frames of a peer. Whoever subscribes from another thread does so on the engine's. */
abstract class PeerFlux extends Flux<ReceivedFrame> {

  final VirtualChannel channel;

  PeerFlux(VirtualChannel channel) {
    this.channel = channel;
  }

  @Override
  public final void subscribe(CoreSubscriber<? super ReceivedFrame> actual) {
    if (channel.engine().inEngine()) {
      subscribeOnEngine(actual);
    } else {
      channel.engine().execute(() -> subscribeOnEngine(actual));
    }
  }

  private void subscribeOnEngine(CoreSubscriber<? super ReceivedFrame> actual) {
    if (channel.isClosed() || channel.isClosing()) {
      Operators.error(actual, channel.closedError(what()));
    } else {
      begin(actual);
    }
  }

  /** What is wanted of the peer, for the error when it is gone. */
  abstract String what();

  /** The peer is there; engine thread. */
  abstract void begin(CoreSubscriber<? super ReceivedFrame> actual);
}
