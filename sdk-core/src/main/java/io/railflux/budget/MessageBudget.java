package io.railflux.budget;

import java.util.ArrayDeque;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * Number of messages that the streams of a node may still receive. Demand cannot be withdrawn from a producer, so
 * each requested message needs a place in the budget, and a silent stream would keep its places for ever. Therefore:
 *
 * <ul>
 * <li>a stream without messages may always request one message, beyond the budget if necessary: it never starves, and
 * takes nothing from others while it waits;
 * <li>a stream may request more once a message arrived, within the budget and up to a share of it;
 * <li>after a whole budget of messages without one for a stream, the places of that stream return, and its open
 * demand counts beyond the budget.
 * </ul>
 *
 * <p>Streams without a place wait in turn. Engine thread only, except {@link #isAwaited}.
 */
public final class MessageBudget {

  /** An active stream reserves at most this fraction of the budget. */
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
   * Creates an unused budget.
   *
   * @param places number of messages of the largest size
   * @param occupied number of places taken by present messages, any thread
   */
  public MessageBudget(long places, LongSupplier occupied) {
    this.places = places;
    this.share = Math.max(1, places / SHARES);
    this.occupied = occupied;
  }

  /**
   * Creates a claim without demand.
   *
   * @param retry calls {@link Claim#more} again
   * @param holds whether messages of the claim still take places
   */
  public Claim open(Runnable retry, BooleanSupplier holds) {
    Claim claim = new Claim(retry, holds);
    claims.add(claim);
    return claim;
  }

  /** Returns the number of active subscriptions with demand. */
  public int claims() {
    return claims.size();
  }

  /** Whether a stream waits for messages to be closed. Any thread. */
  public boolean isAwaited() {
    return awaited;
  }

  /** Messages were closed: each waiting stream retries once, in turn. */
  public void released() {
    serve(true);
  }

  /** @param all whether to include streams that may exceed the budget by one message */
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

  /** Demand and messages of one subscription. */
  final class Claim {

    private final Runnable retry;
    private final BooleanSupplier holds;
    private long within;
    private long beyond;
    private boolean inUse;
    private boolean came;
    private boolean waits;
    private boolean ended;

    private Claim(Runnable retry, BooleanSupplier holds) {
      this.retry = retry;
      this.holds = holds;
    }

    /** Returns the number of messages to request from the producer for a demand of {@code wanted}. */
    long more(long wanted) {
      long most = Math.min(wanted, (inUse ? share : 1) - asked());
      if (most <= 0 || ended) {
        return 0;
      }
      long got = first();
      got += take(most - got);
      if (got < most) {
        await();
        // Messages closed before this flag woke no stream.
        got += got == 0 ? first() : 0;
        got += take(most - got);
      }
      return got;
    }

    /** Returns the number of requested messages that have not arrived. */
    long asked() {
      return within + beyond;
    }

    /** The message that needs no place. */
    private long first() {
      if (asked() > 0 || holds.getAsBoolean()) {
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

    /** A requested message arrived. */
    void onArrived() {
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

    private void giveBackIfQuiet() {
      if (!came) {
        beyond += within;
        reserved -= within;
        within = 0;
        inUse = false;
      }
      came = false;
    }

    /** No further message arrives. */
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
