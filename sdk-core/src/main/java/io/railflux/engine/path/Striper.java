package io.railflux.engine.path;

import io.railflux.policy.Marker;
import io.railflux.policy.Movement;
import io.railflux.policy.Paths;
import io.railflux.policy.Shares;
import io.railflux.policy.StripingPolicy;
import io.railflux.wire.RendezvousStart.Stripe;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntUnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.util.context.ContextView;

/**
 * Applies the striping policy of one peer. The policy is user code: its errors must not deprive a stream of its
 * last frame. Engine thread only.
 */
public final class Striper {

  private static final Logger LOG = LoggerFactory.getLogger(Striper.class);

  /** Smaller pieces cost more in frames than the path carries of them in that time. */
  private static final int MIN_STRIPE_BYTES = 4 << 10;

  private StripingPolicy policy;
  private final List<Subchannel> live;
  private final LivePaths paths;
  private final LivePaths ofPieces;
  private final Shares shares = new Shares();
  private int[] pieces = new int[2];
  private boolean failed;

  public Striper(StripingPolicy policy, List<Subchannel> live) {
    this.policy = policy;
    this.live = live;
    this.paths = LivePaths.ofMessages(live);
    this.ofPieces = LivePaths.ofPieces(live);
  }

  /** Returns the sender's {@link Marker} from the context, or the marker of the call. */
  public static Marker marker(ContextView context, Marker ofCall) {
    Object said = context.getOrDefault(Marker.class, null);
    return said instanceof Marker marker ? marker : ofCall;
  }

  /** Replaces the policy. */
  public void use(StripingPolicy another) {
    policy = another;
    failed = false;
    weigh();
  }

  /** Stores the weights of all live subchannels, where other threads may read them. */
  public void weigh() {
    try {
      for (int i = 0; i < live.size(); i++) {
        live.get(i).weigh(policy.weight(paths, i));
      }
    } catch (Throwable e) {
      failed(e, "its weights are unknown");
    }
  }

  /** Returns the index of the live subchannel for a message; at least one is live. */
  public int next(int lengthBytes, Marker marker) {
    int count = paths.count();
    if (count == 1) {
      return 0;
    }
    try {
      int path = policy.next(paths, lengthBytes, marker);
      return paths.messagePath(path >= 0 && path < count ? path : Math.floorMod(path, count));
    } catch (Throwable e) {
      failed(e, "the first rail is taken");
      return 0;
    }
  }

  /**
   * Returns the index of the live subchannel on which a control frame arrives first, by bytes in flight and weights.
   * The policy is not called, because it may count messages.
   */
  public int soonest(int lengthBytes) {
    int soonest = 0;
    double minTime = Double.MAX_VALUE;
    for (int i = 0; paths.count() > 1 && i < paths.count(); i++) {
      double time = (paths.pendingBytes(i) + lengthBytes) / live.get(i).weight();
      if (time < minTime) {
        minTime = time;
        soonest = i;
      }
    }
    return soonest;
  }

  /** Divides a large message among subchannels, as its sender sees them; empty without a choice. */
  public List<Stripe> cut(int lengthBytes, Marker marker) {
    int count = paths.count();
    if (count < 2) {
      return List.of();
    }
    shares.reset(count);
    pieces = pieces.length < count ? new int[count] : pieces;
    try {
      policy.cut(ofPieces, lengthBytes, marker, shares);
      shares.cut(lengthBytes, MIN_STRIPE_BYTES, pieces);
    } catch (Throwable e) {
      failed(e, "large messages take any rail with room");
      return List.of();
    }
    return stripes(paths::id);
  }

  /** Divides a part of a message in the proportions of the whole message. */
  public List<Stripe> cutLike(List<Stripe> whole, int partBytes) {
    int count = whole.size();
    shares.reset(count);
    pieces = pieces.length < count ? new int[count] : pieces;
    for (int i = 0; i < count; i++) {
      shares.set(i, whole.get(i).lengthBytes());
    }
    shares.cut(partBytes, MIN_STRIPE_BYTES, pieces);
    return stripes(i -> whole.get(i).subchannel());
  }

  private List<Stripe> stripes(IntUnaryOperator subchannelOf) {
    List<Stripe> stripes = new ArrayList<>(shares.count());
    for (int i = 0; i < shares.count(); i++) {
      if (pieces[i] > 0) {
        stripes.add(new Stripe(subchannelOf.applyAsInt(i), pieces[i]));
      }
    }
    return stripes;
  }

  /** A large message written by this side arrived. */
  public void moved(Movement movement) {
    if (paths.count() == 0) {
      return;
    }
    try {
      policy.moved(paths, movement);
    } catch (Throwable e) {
      failed(e, "it ignores the measurement");
    }
    weigh();
  }

  private void failed(Throwable e, String instead) {
    if (!failed) {
      failed = true;
      LOG.error("striping policy {} failed; where it does, {}", policy, instead, e);
    }
  }

  /**
   * View of a peer's live subchannels for the striping policy: for a message of the ring, or for the division of a
   * large message. Engine thread only.
   */
  public static final class LivePaths implements Paths {

    private final List<Subchannel> live;
    private final boolean ofMessages;

    private LivePaths(List<Subchannel> live, boolean ofMessages) {
      this.live = live;
      this.ofMessages = ofMessages;
    }

    public static LivePaths ofMessages(List<Subchannel> live) {
      return new LivePaths(live, true);
    }

    public static LivePaths ofPieces(List<Subchannel> live) {
      return new LivePaths(live, false);
    }

    @Override
    public int count() {
      return live.size();
    }

    @Override
    public int id(int path) {
      return live.get(path).id;
    }

    @Override
    public int rail(int path) {
      return live.get(path).path().railPlace;
    }

    /**
     * For messages, includes the bytes in the rail's ring; otherwise a further path would look idle. The ring is
     * never empty under load. For the division of a large message, the ring does not count for a further path.
     */
    @Override
    public long pendingBytes(int path) {
      Subchannel subchannel = live.get(path);
      Subchannel ring = ofMessages ? live.get(messagePath(path)) : subchannel;
      return ring.writer().ring().occupied() + subchannel.lane().stripedBytes();
    }

    @Override
    public long pendingLargeBytes(int path) {
      return live.get(path).lane().stripedBytes();
    }

    /**
     * Returns the index of the subchannel whose ring carries messages for the path: the path itself, or another one
     * on its rail.
     */
    int messagePath(int path) {
      Subchannel chosen = live.get(path);
      for (int i = 0; chosen.further && i < live.size(); i++) {
        Subchannel other = live.get(i);
        if (!other.further && other.leadsWhere(chosen)) {
          return i;
        }
      }
      return path;
    }
  }

  /** Bytes and duration of each subchannel's writes for one large message. Engine thread only. */
  public static final class Times implements Movement {

    private int[] ids = new int[2];
    private long[] bytes = new long[2];
    private long[] nanos = new long[2];
    private long[] gapNanos = new long[2];
    private int count;

    /**
     * Adds a transfer over the subchannel {@code id}.
     *
     * @param observationGapNanos how much earlier than observed the transfer may have completed
     */
    public void add(int id, int moreBytes, long tookNanos, long observationGapNanos) {
      int place = placeOf(id);
      bytes[place] += moreBytes;
      nanos[place] += tookNanos;
      gapNanos[place] = observationGapNanos;
    }

    private int placeOf(int id) {
      for (int i = 0; i < count; i++) {
        if (ids[i] == id) {
          return i;
        }
      }
      if (count == ids.length) {
        ids = Arrays.copyOf(ids, 2 * count);
        bytes = Arrays.copyOf(bytes, 2 * count);
        nanos = Arrays.copyOf(nanos, 2 * count);
        gapNanos = Arrays.copyOf(gapNanos, 2 * count);
      }
      ids[count] = id;
      return count++;
    }

    @Override
    public int count() {
      return count;
    }

    @Override
    public int pathId(int piece) {
      return ids[piece];
    }

    @Override
    public long bytes(int piece) {
      return bytes[piece];
    }

    @Override
    public long nanos(int piece) {
      return Math.max(1, nanos[piece]);
    }

    /**
     * Discards samples whose start and completion were observed in the same duty cycle: their duration is below the
     * clock's resolution (V 7.1.2).
     */
    @Override
    public long observationGapNanos(int piece) {
      return nanos[piece] == 0 ? 1 : gapNanos[piece];
    }
  }
}
