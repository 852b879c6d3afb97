package io.railflux.engine;

import io.railflux.engine.Engine.Target;
import io.railflux.fabric.Endpoint;
import io.railflux.metrics.RailEvent;
import io.railflux.metrics.RailEvent.Kind;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.Consumer;

/**
 * The connecting side's care for its connections: first contact, the others after it, and again each that
 * was lost, with growing, jittered pauses (FT4). Where the other side knows an address of this one and has the
 * higher id, it is that side's turn ({@link Redials}), and this one's if that takes too long. Engine thread only.
 */
public final class Reconnect {

  private static final String NOBODY = "nobody wants it any more";

  private final Engine engine;
  private final List<Destination> destinations = new ArrayList<>();
  private final int session;
  private final ChannelListener listener;
  private final List<String> refusals = new ArrayList<>();
  private final Set<Target> removedTargets = new LinkedHashSet<>();
  private VirtualChannel channel;
  private BiPredicate<Rail, String> redialed = (rail, host) -> false;
  private int nextSubchannel;
  private boolean stopped;

  Reconnect(Engine engine, List<Target> targets, int session, ChannelListener listener) {
    this.engine = engine;
    this.session = session;
    this.listener = listener;
    targets.forEach(target -> destinations.add(new Destination(target)));
  }

  void begin() {
    attempt(destinations.get(0));
  }

  /** How many connections there are to be. */
  public int size() {
    return destinations.size();
  }

  /** Where the connections lead, or led last, as their fabrics name hosts. */
  public List<String> remoteHosts() {
    return destinations.stream().map(Destination::lastHost).toList();
  }

  /** One connection more; of the same place there may be several. */
  public void add(Target target) {
    add(target, joined -> {});
  }

  /**
   * As {@link #add(Target)}.
   *
   * @param onSettled hears once whether it was joined, or removed before
   */
  public void add(Target target, Consumer<Boolean> onSettled) {
    removedTargets.remove(target);
    add(target, onSettled, "");
  }

  private Destination add(Target target, Consumer<Boolean> onSettled, String why) {
    Destination added = new Destination(target);
    added.onSettled(onSettled);
    destinations.add(added);
    tell(Kind.ADDED, added, why);
    attempt(added);
    return added;
  }

  /**
   * Finds from now on how many connections to the addresses there are make large messages faster, and
   * keeps so many (MR8). Once there is a peer.
   */
  public void probePaths() {
    new ProbedPaths(engine, this, channel);
  }

  /** One connection more to where there is one. */
  Destination tryOneMore(Target target) {
    return add(target, joined -> {}, "to see whether large messages get faster");
  }

  /** Gives one connection up, unless that was done. What it carried goes over others. */
  void giveUpOne(Destination destination, String reason) {
    if (destinations.remove(destination)) {
      giveUp(destination, reason);
    }
  }

  /** They may be found again. */
  public void forgetRemoved(Target target) {
    removedTargets.remove(target);
  }

  /** Whether the connections there were given up, and not asked for again. */
  public boolean wasRemoved(Target target) {
    return removedTargets.contains(target);
  }

  /** Gives all connections to that place up; returns how many there were. What they carried goes over others. */
  public int remove(Target target, String reason) {
    int removed = 0;
    for (Destination destination : new ArrayList<>(destinations)) {
      if (destination.target.equals(target)) {
        destinations.remove(destination);
        removedTargets.add(target);
        giveUp(destination, reason);
        removed++;
      }
    }
    return removed;
  }

  private void giveUp(Destination destination, String reason) {
    Subchannel carrier = destination.remove();
    if (carrier == null) {
      tell(Kind.REMOVED, destination, reason);
    }
    int last = destination.lastId();
    if (last != Destination.NONE) {
      channel.recovery().giveUp(last, reason);
    }
  }

  /** Whether there is, or is to be, a connection to that place. */
  public boolean leadsTo(Target target) {
    return destinations.stream().anyMatch(destination -> destination.target.equals(target));
  }

  /** Whether there is a connection to some other place now. */
  public boolean leadsElsewhere(Collection<Target> places) {
    return destinations.stream()
        .filter(destination -> destination.carrier() != null)
        .anyMatch(destination -> !places.contains(destination.target));
  }

  /** Where connections lead, or are to lead. */
  public List<Target> targets() {
    return destinations.stream().map(destination -> destination.target).toList();
  }

  /** Whether messages to that place go through the rings of a connection that is there, or being made. */
  boolean takesMessages(Target target) {
    return destinations.stream().anyMatch(to -> to.target.equals(target) && to.takesMessages());
  }

  /** How many connections to that place there are, or are to be. */
  int countOf(Target target) {
    return (int) destinations.stream().filter(to -> to.target.equals(target)).count();
  }

  /** One that leads there, or null. */
  Subchannel carrierTo(Target target) {
    return destinations.stream()
        .filter(to -> to.target.equals(target) && to.carrier() != null)
        .map(Destination::carrier)
        .findFirst()
        .orElse(null);
  }

  private void attempt(Destination to) {
    if (stopped || to.state() != DestinationState.WAITING) {
      return;
    }
    if (channel != null && channel.recovery().isFull()) {
      // Each try would keep a ring: what was lost is settled first, or the peer given up.
      again(to, "what was lost before is not settled yet");
      return;
    }
    engine.handshakes(to.target.rail()).connect(to.target.location(), nextTry(to));
  }

  private Attempt nextTry(Destination to) {
    to.trying(isFurther(to));
    return new Attempt(this, to, to.tries(), nextSubchannel++);
  }

  /** Sets by rail and host of the peer whether that knows where this side listens. */
  public void peerRedials(BiPredicate<Rail, String> newRedialed) {
    redialed = newRedialed;
  }

  /** Whether a connection over that rail was carried by that subchannel last. */
  boolean lastWas(Rail rail, int subchannelId) {
    return destination(rail, subchannelId) != null;
  }

  private Destination destination(Rail rail, int lastId) {
    return destinations.stream()
        .filter(to -> to.target.rail() == rail && to.lastId() == lastId)
        .findFirst()
        .orElse(null);
  }

  /** The peer made an endpoint for what {@link #lastWas} there: the try it is for; null if none is needed now. */
  Attempt redialed(Rail rail, int lostId) {
    Destination to = destination(rail, lostId);
    boolean now = !stopped && !channel.recovery().isFull() && to.yields();
    return now ? triedByPeer(to) : null;
  }

  private Attempt triedByPeer(Destination to) {
    if (to.state() == DestinationState.TRYING) {
      to.failed();
    }
    Attempt attempt = nextTry(to);
    to.byPeer();
    later(to, engine.config().timing().detectNanos(), () -> {
      if (to.isUnshown()) {
        // Whoever it is does not answer.
        to.failed();
        attempt(to);
      }
    });
    return attempt;
  }

  /** Whether messages go through the rings of another connection there. */
  private boolean isFurther(Destination to) {
    return !to.target.rail().fabric().capabilities().mapped() && takesMessages(to.target);
  }

  /** One try at one connection. */
  record Attempt(Reconnect owner, Destination to, int number, int subchannelId) implements Dial {

    /** null before the first contact. */
    VirtualChannel channel() {
      return owner.channel;
    }

    int session() {
      return owner.session;
    }

    Incarnation expectedPeer() {
      return owner.channel == null ? Incarnation.NONE : owner.channel.peer();
    }

    boolean isFurther() {
      return to.isFurther();
    }

    @Override
    public boolean isObsolete() {
      return owner.stopped || to.isRemoved();
    }

    /** Another try took its place, which had not been shown to the peer. */
    boolean isSuperseded() {
      return number != to.tries();
    }

    /** Number of the subchannel that was lost there; {@link Destination#NONE} if none was. */
    int replaces() {
      return to.lastId();
    }

    @Override
    public Handshake handshake(Engine engine, Rail rail, Endpoint endpoint) {
      return new ConnectingHandshake(engine, rail, endpoint, this);
    }

    /** From now on the peer may count the subchannel as there. */
    void showing() {
      to.showing();
    }

    void succeeded(VirtualChannel established, Subchannel subchannel) {
      owner.succeeded(to, established, subchannel);
    }

    @Override
    public void failed(String reason) {
      if (!isSuperseded()) {
        owner.failed(to, reason);
      }
    }

    @Override
    public void nodeLeaves(String reason) {
      owner.nodeLeaves(reason);
    }

    void refused(String text, boolean sessionEnded) {
      if (!isSuperseded()) {
        owner.refused(to, text, sessionEnded);
      }
    }
  }

  private void succeeded(Destination to, VirtualChannel established, Subchannel subchannel) {
    if (channel == null && stopped) {
      established.abort(givenUp());
      return;
    }
    if (to.isRemoved()) {
      established.recovery().giveUp(subchannel.id, NOBODY);
      return;
    }
    to.joined(subchannel);
    if (channel == null) {
      channel = established;
      channel.reconnectBy(this);
      listener.onEstablished(channel);
      new ArrayList<>(destinations).stream().filter(other -> other != to).forEach(this::attempt);
    }
  }

  private void failed(Destination to, String reason) {
    if (stopped || to.isRemoved()) {
      return;
    }
    to.failed();
    if (channel != null) {
      again(to, reason);
      makeOneForMessages(to);
      return;
    }
    refusals.add(to.target.location() + ": " + reason);
    int next = destinations.indexOf(to) + 1;
    while (next < destinations.size() && destinations.get(next).target.equals(to.target)) {
      // Another connection to where nobody let this one in.
      next++;
    }
    if (next < destinations.size()) {
      attempt(destinations.get(next));
    } else {
      stopped = true;
      listener.onFailed("cannot connect to " + String.join("; ", refusals));
    }
  }

  /** What remains when no connection for messages can be made beside it would let them wait for ever. */
  private void makeOneForMessages(Destination failed) {
    List<Subchannel> live = channel.live();
    boolean another = destinations.stream().anyMatch(Destination::takesMessages);
    if (!failed.isFurther()
        && !another
        && live.stream().allMatch(subchannel -> subchannel.further)) {
      new ArrayList<>(live)
          .forEach(subchannel -> channel.failSubchannel(
              subchannel, "no connection that messages go through could be made beside it"));
    }
  }

  private void refused(Destination to, String text, boolean sessionEnded) {
    if (channel != null && sessionEnded && !stopped && isLastWord(to)) {
      channel.lose(
          new StreamFailure(StreamFailure.Kind.LOST, channel.description() + " is lost: " + text));
    } else {
      failed(to, "refused: " + text);
    }
  }

  /** Somebody else may answer where the peer never was: the session goes on where it is. */
  private boolean isLastWord(Destination to) {
    boolean wasThere =
        to.hasEverJoined() || destinations.stream().noneMatch(Destination::hasEverJoined);
    return wasThere && !channel.paths().hasLive();
  }

  void lost(Subchannel subchannel) {
    for (Destination destination : destinations) {
      if (destination.carrier() == subchannel) {
        destination.failed();
        if (isPeersTurn(destination)) {
          leaveToPeer(destination);
        } else {
          again(destination, "lost");
        }
        return;
      }
    }
  }

  private void again(Destination to, String reason) {
    retry(to, reason, to.nextPauseNanos(engine.config().timing().again(), engine.randomLong()));
  }

  private boolean isPeersTurn(Destination to) {
    return !to.isPeerLate()
        && channel.peer().isHigherThan(engine.incarnation())
        && redialed.test(to.target.rail(), to.lastHost());
  }

  private void leaveToPeer(Destination to) {
    long most = engine.config().timing().detectNanos();
    tell(
        Kind.RETRYING,
        to,
        "lost; the peer has the higher id and connects, else this side in " + most / 1_000_000
            + " ms");
    later(to, most, () -> {
      to.peerIsLate();
      attempt(to);
    });
  }

  private void retry(Destination to, String reason, long pause) {
    tell(Kind.RETRYING, to, reason + "; again in " + pause / 1_000_000 + " ms");
    later(to, pause, () -> attempt(to));
  }

  /** Unless a try begins before. */
  private void later(Destination to, long pause, Runnable action) {
    int tries = to.tries();
    engine.timers().at(engine.nowNanos() + pause, () -> {
      if (to.tries() == tries) {
        action.run();
      }
    });
  }

  void tell(Kind kind, Destination destination, String text) {
    channel.tell(
        new RailEvent(kind, channel.peerName(), RailEvent.ALL_PATHS, destination.toString(), text));
  }

  void stop() {
    stopped = true;
  }

  /**
   * Nobody wants the peer. A HELLO on its way is answered first: the peer has a session by then, and
   * hears of its end only through it.
   */
  void giveUp() {
    stopped = true;
    if (channel != null) {
      channel.abort(givenUp());
    }
  }

  /** The node goes: whoever waits for the first contact hears of it. */
  void nodeLeaves(String reason) {
    if (!stopped && channel == null) {
      stopped = true;
      GuardedSink.run("connect", () -> listener.onFailed(reason));
    }
  }

  private String givenUp() {
    return "node '" + engine.nodeName() + "' gave the connection up";
  }
}
