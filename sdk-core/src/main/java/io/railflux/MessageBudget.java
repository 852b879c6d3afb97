package io.railflux;

import java.util.ArrayDeque;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

/**
 * How many messages the streams of a node may still bring. What a producer was asked for cannot be
 * taken back, so each message asked for needs a place in the budget, and a stream that asked and then
 * fell silent would keep its places from the others for ever. Therefore:
 *
 * <ul>
 *   <li>a stream that holds nothing may always ask for one message, beyond the budget if need be: it
 *       can neither be starved nor does it take anything from others while it waits;
 *   <li>it may ask for more once something came, within the budget and up to a share of it;
 *   <li>when a whole budget of messages came and none of them was a stream's, its places go back, and
 *       what it asked for counts as beyond the budget.
 * </ul>
 *
 * Those that find no place wait in turn. Engine thread only, except {@link #isAwaited} and {@link
 * Claim#onClosed}.
 */
final class MessageBudget {

  /** No stream in use can take more than this part of the budget by what it only asked for. */
  private static final int SHARES = 16;

  private final long places;
  private final long share;
  private final LongSupplier occupied;
  private final Set<Claim> claims = new LinkedHashSet<>();
  private final ArrayDeque<Claim> waiting = new ArrayDeque<>();
  private long reserved;
  private long cameSinceLook;
  private volatile boolean awaited;

  /**
   * An unused budget.
   *
   * @param places messages of the largest size that fit
   * @param occupied how many places are taken by messages that are there, any thread
   */
  MessageBudget(long places, LongSupplier occupied) {
    this.places = places;
    this.share = Math.max(1, places / SHARES);
    this.occupied = occupied;
  }

  /** @param retry asks {@link Claim#more} again */
  Claim open(Runnable retry) {
    Claim claim = new Claim(retry);
    claims.add(claim);
    return claim;
  }

  /** Whether somebody waits for messages to be closed. Any thread. */
  boolean isAwaited() {
    return awaited;
  }

  /** Messages were closed: whoever waited asks again, each once and in turn. */
  void released() {
    serve(true);
  }

  /** @param all those, too, that get one beyond the budget when they hold nothing */
  private void serve(boolean all) {
    for (int i = waiting.size(); i > 0 && (all || free() > 0); i--) {
      Claim first = waiting.poll();
      first.waits = false;
      first.retry.run();
    }
    awaited = !waiting.isEmpty();
  }

  private long free() {
    return Math.max(0, places - occupied.getAsLong() - reserved);
  }

  private void look() {
    cameSinceLook = 0;
    claims.forEach(Claim::giveBackIfQuiet);
  }

  /** What one subscription may bring and what it holds. */
  final class Claim {

    private final Runnable retry;
    private final AtomicInteger unclosed = new AtomicInteger();
    private long within;
    private long beyond;
    private boolean inUse;
    private boolean came;
    private boolean waits;
    private boolean ended;

    private Claim(Runnable retry) {
      this.retry = retry;
    }

    /** How many more messages to ask the producer for, when {@code wanted} are asked of it. */
    long more(long wanted) {
      long most = Math.min(wanted, (inUse ? share : 1) - asked());
      if (most <= 0 || ended) {
        return 0;
      }
      long got = first();
      got += take(most - got);
      if (got < most) {
        await();
        // What was closed before that was said woke nobody.
        got += got == 0 ? first() : 0;
        got += take(most - got);
      }
      return got;
    }

    /** Messages that may still come. */
    long asked() {
      return within + beyond;
    }

    /** The one that needs no place. */
    private long first() {
      if (asked() > 0 || unclosed.get() > 0) {
        return 0;
      }
      beyond = 1;
      return 1;
    }

    private long take(long most) {
      long taken = Math.min(most, free());
      within += taken;
      reserved += taken;
      return taken;
    }

    private void await() {
      if (!waits) {
        waits = true;
        waiting.add(this);
      }
      awaited = true;
    }

    /** One of those asked for is there and not closed. */
    void onCame() {
      unclosed.incrementAndGet();
      if (ended) {
        return;
      }
      inUse = true;
      came = true;
      if (beyond > 0) {
        beyond--;
      } else {
        within--;
        reserved--;
      }
      if (++cameSinceLook >= Math.max(places, claims.size())) {
        look();
      }
      serve(false);
    }

    /** One that came is closed. Any thread. */
    void onClosed() {
      unclosed.decrementAndGet();
    }

    private void giveBackIfQuiet() {
      if (!came) {
        beyond += within;
        reserved -= within;
        within = 0;
        inUse = false;
      }
      came = false;
    }

    /** Nothing comes any more. */
    void end() {
      if (!ended) {
        ended = true;
        claims.remove(this);
        reserved -= within;
        within = 0;
        beyond = 0;
        serve(false);
      }
    }
  }
}
