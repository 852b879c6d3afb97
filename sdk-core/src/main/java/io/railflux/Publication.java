package io.railflux;

import io.railflux.engine.base.RepeatedWarning;
import io.railflux.exceptions.DeliveryUnknownException;
import io.railflux.exceptions.PeerClosedException;
import io.railflux.exceptions.StreamCancelledException;
import io.railflux.exceptions.StreamRejectedException;
import io.railflux.exceptions.StreamRejectedException.Reason;
import io.railflux.message.Codec;
import io.railflux.remote.Ticks;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.Disposables;

/**
 * A stream that a node offers to all its peers. Each offer is a stream that waits for its receiver; when it ends, the
 * next one takes its place. Engine thread only.
 */
final class Publication<T> {

  private static final Logger LOG = LoggerFactory.getLogger(Publication.class);

  /**
   * Pause before an offer is repeated that the peer refused without a subscriber. The limits of the peer may permit
   * the stream later.
   */
  private static final long REFUSED_NANOS = 1_000_000_000L;

  private final String name;
  private final Codec<T> codec;
  private final boolean positioned;
  private final BiFunction<? super Peer, Long, ? extends Publisher<? extends T>> source;
  private final Ticks ticks;
  private final Map<Peer, Disposable.Swap> offers = new HashMap<>();
  private final Map<Peer, Runnable> unwatch = new HashMap<>();
  private final RepeatedWarning failures = new RepeatedWarning();
  private boolean disposed;

  /** @param positioned whether a receiver may give a position */
  Publication(
      String name,
      Codec<T> codec,
      boolean positioned,
      BiFunction<? super Peer, Long, ? extends Publisher<? extends T>> source,
      Ticks ticks) {
    this.name = name;
    this.codec = codec;
    this.positioned = positioned;
    this.source = source;
    this.ticks = ticks;
  }

  void offer(Peer peer) {
    Disposable.Swap offer = Disposables.swap();
    offers.put(peer, offer);
    unwatch.put(peer, peer.watchClosing(() -> {
      offers.remove(peer);
      unwatch.remove(peer);
    }));
    open(peer, offer);
  }

  private void open(Peer peer, Disposable.Swap offer) {
    offer.update(peer.offer(name, codec, positioned, position -> source.apply(peer, position))
        .subscribe(
            nothing -> {}, error -> ended(peer, offer, error), () -> ended(peer, offer, null)));
  }

  /** @param error null if the source completed and all messages are acknowledged */
  private void ended(Peer peer, Disposable.Swap offer, @Nullable Throwable error) {
    if (disposed || !offers.containsKey(peer)) {
      return;
    }
    // The peer refused the offer because of its limits or its drain. An immediate repetition would
    // be refused again.
    boolean refused = error instanceof StreamRejectedException rejected
        && rejected.reason() != Reason.CODEC_MISMATCH
        && rejected.reason() != Reason.NOT_POSITIONED;
    if (!refused) {
      reportEnd(peer, error);
      open(peer, offer);
      return;
    }
    LOG.warn(
        "stream '{}' was refused by {} and will be offered again: {}",
        name,
        peer,
        error.getMessage());
    Runnable cancel = ticks.after(REFUSED_NANOS, () -> {
      if (!offer.isDisposed()) {
        open(peer, offer);
      }
    });
    offer.update(cancel::run);
  }

  private void reportEnd(Peer peer, @Nullable Throwable error) {
    if (error == null || isOutcome(error)) {
      LOG.debug("stream '{}' to {} ended and is offered again", name, peer, error);
    } else if (failures.isDue(ticks.nowNanos())) {
      // No other place reports the failure: the receiver gets class and message only.
      LOG.warn(
          "the publisher of stream '{}' for {} failed, and the stream is offered again{}",
          name,
          peer,
          failures.sinceLastReport(),
          error);
    }
  }

  /** Whether the error reports an act or the loss of the peer, and not a failure of the publisher. */
  private static boolean isOutcome(Throwable error) {
    return error instanceof StreamCancelledException
        || error instanceof StreamRejectedException
        || error instanceof PeerClosedException
        || error instanceof DeliveryUnknownException;
  }

  /** Withdraws all offers. */
  void dispose() {
    disposed = true;
    List.copyOf(unwatch.values()).forEach(Runnable::run);
    unwatch.clear();
    offers.values().forEach(Disposable::dispose);
    offers.clear();
  }
}
