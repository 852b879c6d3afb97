package io.railflux.engine;

import io.railflux.policy.Marker;
import io.railflux.policy.Movement;
import io.railflux.policy.Shares;
import io.railflux.policy.StripingPolicy;
import io.railflux.wire.RendezvousStart.Stripe;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntUnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.util.context.ContextView;

/**
 * Asks the striping policy of one peer. That is a user's: what it does wrong must not leave a stream
 * without its last frame. Engine thread only.
 */
final class Striper {

  private static final Logger LOG = LoggerFactory.getLogger(Striper.class);

  /** A smaller piece costs more in frames than a path carries of it meanwhile. */
  private static final int LEAST_STRIPE_BYTES = 4 << 10;

  private StripingPolicy policy;
  private final List<Subchannel> live;
  private final LivePaths paths;
  private final LivePaths ofPieces;
  private final Shares shares = new Shares();
  private int[] pieces = new int[2];
  private boolean failed;

  Striper(StripingPolicy policy, List<Subchannel> live) {
    this.policy = policy;
    this.live = live;
    this.paths = LivePaths.ofMessages(live);
    this.ofPieces = LivePaths.ofPieces(live);
  }

  /** What the user who sends said of it by {@link Marker}, else what follows from the call. */
  static Marker marker(ContextView context, Marker ofCall) {
    Object said = context.getOrDefault(Marker.class, null);
    return said instanceof Marker marker ? marker : ofCall;
  }

  /** From now on that one is asked. */
  void use(StripingPolicy another) {
    policy = another;
    failed = false;
    weigh();
  }

  /** Notes the weights of all live subchannels: other threads may read them there. */
  void weigh() {
    try {
      for (int i = 0; i < live.size(); i++) {
        live.get(i).weight = policy.weight(paths, i);
      }
    } catch (Throwable e) {
      failed(e, "its weights are unknown");
    }
  }

  /** The place of the subchannel that carries a message, among those that are live; there is one at least. */
  int next(int lengthBytes, Marker marker) {
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
   * The same of a frame that is no message, of which the policy, which may count, hears nothing: where it is there first,
   * by what is under way and the weights.
   */
  int soonest(int lengthBytes) {
    int soonest = 0;
    double leastTime = Double.MAX_VALUE;
    for (int i = 0; paths.count() > 1 && i < paths.count(); i++) {
      double time = (paths.pendingBytes(i) + lengthBytes) / live.get(i).weight;
      if (time < leastTime) {
        leastTime = time;
        soonest = i;
      }
    }
    return soonest;
  }

  /** How a large message goes over subchannels, as its sender sees them; empty where there is no choice. */
  List<Stripe> cut(int lengthBytes, Marker marker) {
    int count = paths.count();
    if (count < 2) {
      return List.of();
    }
    shares.reset(count);
    pieces = pieces.length < count ? new int[count] : pieces;
    try {
      policy.cut(ofPieces, lengthBytes, marker, shares);
      shares.cut(lengthBytes, LEAST_STRIPE_BYTES, pieces);
    } catch (Throwable e) {
      failed(e, "large messages go over whichever rail has room");
      return List.of();
    }
    return stripes(paths::id);
  }

  /** Part of a message in the proportions in which the whole of it was cut. */
  List<Stripe> cutLike(List<Stripe> whole, int partBytes) {
    int count = whole.size();
    shares.reset(count);
    pieces = pieces.length < count ? new int[count] : pieces;
    for (int i = 0; i < count; i++) {
      shares.set(i, whole.get(i).lengthBytes());
    }
    shares.cut(partBytes, LEAST_STRIPE_BYTES, pieces);
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

  /** A large message that this side wrote is there. */
  void moved(Movement movement) {
    if (paths.count() == 0) {
      return;
    }
    try {
      policy.moved(paths, movement);
    } catch (Throwable e) {
      failed(e, "it does not learn from what was moved");
    }
    weigh();
  }

  private void failed(Throwable e, String instead) {
    if (!failed) {
      failed = true;
      LOG.error("striping policy {} failed; where it does, {}", policy, instead, e);
    }
  }
}
