package io.railflux.engine.connect;

import io.railflux.engine.base.Guarded;
import io.railflux.engine.base.Incarnation;
import io.railflux.engine.base.Rail;
import io.railflux.engine.base.SessionMemory;
import io.railflux.engine.base.StreamFailure;
import io.railflux.engine.path.Subchannel;
import io.railflux.engine.session.ChannelHost;
import io.railflux.engine.session.VirtualChannel;
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

// More than 400 lines: one policy for all connections of a session; its attempts are nested.
/**
 * Maintains the connections of the connecting side: first contact, further connections, and re-establishment after a
 * loss, with growing, jittered pauses (FT4). If the other side knows an address of this side and has the higher id, it
 * dials first ({@link Redials}). This side dials if that takes too long. Engine thread only.
 */
public final class Reconnect implements ChannelHost.RailKeeper {

  private static final String UNWANTED = "the connection is no longer wanted";

  private final Connections connections;
  private final List<Destination> destinations = new ArrayList<>();
  private final int session;
  private final ChannelHost.Listener listener;
  private final FirstContact firstContact;
  private final Set<Rail.Target> removedTargets = new LinkedHashSet<>();
  private VirtualChannel channel;
  private BiPredicate<Rail, String> redialed = (rail, host) -> false;
  private int nextSubchannel;
  private boolean stopped;

  Reconnect(
      Connections connections,
      List<Rail.Target> targets,
      int session,
      ChannelHost.Listener listener) {
    this.connections = connections;
    this.session = session;
    this.listener = listener;
    targets.forEach(target -> destinations.add(new Destination(target)));
    this.firstContact =
        new FirstContact(connections.context(), destinations, this::attempt, this::unreachable);
  }

  /**
   * Returns the connections that this side establishes to a peer.
   *
   * @throws io.railflux.exceptions.PeerClosedException if the channel has ended
   * @throws IllegalStateException if the peer connected to this node
   */
  public static Reconnect of(VirtualChannel channel) {
    if (channel.isClosed()) {
      throw channel.closedError("rails");
    }
    if (!channel.isConnector()) {
      throw new IllegalStateException(
          channel.description()
              + " connected to this node, which knows no address of the peer: change the rails at the peer");
    }
    return (Reconnect) channel.railKeeper();
  }

  @Override
  public boolean isConnector() {
    return true;
  }

  void begin() {
    firstContact.begin();
  }

  private void unreachable(String reason) {
    stopped = true;
    listener.onFailed(reason);
  }

  /** Returns the number of wanted connections. */
  public int size() {
    return destinations.size();
  }

  /** Returns the current or last remote host of each connection, as named by its fabric. */
  public List<String> remoteHosts() {
    return destinations.stream().map(Destination::lastHost).toList();
  }

  /** Adds a connection. There may be several connections to one target. */
  public void add(Rail.Target target) {
    add(target, joined -> {});
  }

  /**
   * Adds a connection as {@link #add(Rail.Target)} does.
   *
   * @param onSettled receives once whether the connection was joined (true) or removed before (false)
   */
  public void add(Rail.Target target, Consumer<Boolean> onSettled) {
    removedTargets.remove(target);
    add(target, onSettled, "");
  }

  private Destination add(Rail.Target target, Consumer<Boolean> onSettled, String why) {
    Destination added = new Destination(target);
    added.onSettled(onSettled);
    destinations.add(added);
    report(Kind.ADDED, added, why);
    attempt(added);
    return added;
  }

  /** Adds a connection to a target that has a connection already. */
  Destination tryOneMore(Rail.Target target) {
    return add(target, joined -> {}, "on trial: large messages may become faster");
  }

  /** Gives a connection up, unless it was given up before. Other connections take over its traffic. */
  void giveUpConnection(Destination destination, String reason) {
    if (destinations.remove(destination)) {
      giveUp(destination, reason);
    }
  }

  /** Allows discovery to add the target again. */
  public void forgetRemoved(Rail.Target target) {
    removedTargets.remove(target);
  }

  /** Returns whether the connections to the target were given up and not requested again. */
  public boolean wasRemoved(Rail.Target target) {
    return removedTargets.contains(target);
  }

  /** Gives all connections to the target up and returns their number. Other connections take over their traffic. */
  public int remove(Rail.Target target, String reason) {
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
      report(Kind.REMOVED, destination, reason);
    }
    int last = destination.lastId();
    if (last != Destination.NONE) {
      channel.giveUp(last, reason);
    }
  }

  /** Returns whether a connection to the target exists or is wanted. */
  public boolean leadsTo(Rail.Target target) {
    return destinations.stream().anyMatch(destination -> destination.target.equals(target));
  }

  /** Returns whether a connection to a target outside {@code places} exists now. */
  public boolean leadsElsewhere(Collection<Rail.Target> places) {
    return destinations.stream()
        .filter(destination -> destination.carrier() != null)
        .anyMatch(destination -> !places.contains(destination.target));
  }

  /** Returns the targets of existing and wanted connections. */
  public List<Rail.Target> targets() {
    return destinations.stream().map(destination -> destination.target).toList();
  }

  /** Returns whether an existing or pending connection to the target carries messages through its rings. */
  boolean takesMessages(Rail.Target target) {
    return destinations.stream().anyMatch(to -> to.target.equals(target) && to.takesMessages());
  }

  /** Returns the number of existing and wanted connections to the target. */
  int countOf(Rail.Target target) {
    return (int) destinations.stream().filter(to -> to.target.equals(target)).count();
  }

  /** Returns a subchannel that leads to the target, or null. */
  Subchannel carrierTo(Rail.Target target) {
    return destinations.stream()
        .filter(to -> to.target.equals(target) && to.carrier() != null)
        .map(Destination::carrier)
        .findFirst()
        .orElse(null);
  }

  private void attempt(Destination to) {
    if (stopped || to.state() != Destination.State.WAITING) {
      return;
    }
    if (channel != null && channel.isFull()) {
      // Each try would retain a ring. The earlier loss is settled first, or the peer is given up.
      again(to, "an earlier loss is not settled yet");
      return;
    }
    connections.handshakes(to.target.rail()).connect(to.target.location(), nextTry(to));
  }

  private Attempt nextTry(Destination to) {
    to.trying(isFurther(to));
    return new Attempt(this, to, to.tries(), nextSubchannel++);
  }

  /** Sets the predicate that decides by rail and host of the peer whether the peer knows where this side listens. */
  public void peerRedials(BiPredicate<Rail, String> newRedialed) {
    redialed = newRedialed;
  }

  /** Returns whether the given subchannel was the last carrier of a connection over the rail. */
  boolean lastWas(Rail rail, int subchannelId) {
    return destination(rail, subchannelId) != null;
  }

  private Destination destination(Rail rail, int lastId) {
    return destinations.stream()
        .filter(to -> to.target.rail() == rail && to.lastId() == lastId)
        .findFirst()
        .orElse(null);
  }

  /**
   * Handles an endpoint that the peer created for a loss reported by {@link #lastWas}. Returns the try for it; null if
   * no try is needed.
   */
  Attempt redialed(Rail rail, int lostId) {
    Destination to = destination(rail, lostId);
    boolean now = !stopped && !channel.isFull() && to.yields();
    return now ? triedByPeer(to) : null;
  }

  private Attempt triedByPeer(Destination to) {
    if (to.state() == Destination.State.TRYING) {
      to.failed();
    }
    Attempt attempt = nextTry(to);
    to.byPeer();
    later(to, connections.config().timing().detectNanos(), () -> {
      if (to.isUnshown()) {
        // The party at the other end does not answer.
        to.failed();
        attempt(to);
      }
    });
    return attempt;
  }

  /** Returns whether another connection to the same target carries the messages through its rings. */
  private boolean isFurther(Destination to) {
    return !to.target.rail().capabilities().mapped() && takesMessages(to.target);
  }

  /** One try of one connection. */
  record Attempt(Reconnect owner, Destination to, int number, int subchannelId)
      implements EndpointRegistry.Dial {

    /** Returns the channel; null before the first contact. */
    VirtualChannel channel() {
      return owner.channel;
    }

    /** Returns the parameters of the session; null before the first contact. */
    VirtualChannel.Session agreed() {
      return owner.channel == null ? null : owner.channel.session();
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

    /** Returns whether another try has replaced this try before the peer learned of it. */
    boolean isSuperseded() {
      return number != to.tries();
    }

    /** Returns the number of the subchannel lost at the destination; {@link Destination#NONE} if none was lost. */
    int replaces() {
      return to.lastId();
    }

    @Override
    public Handshake handshake(
        Connections handshakes,
        Rail rail,
        Endpoint endpoint,
        SessionMemory.HandshakeMemory messages) {
      return new ConnectingHandshake(handshakes, rail, endpoint, messages, this);
    }

    /** Notes that a HELLO is about to be sent. Without a session, the HELLO begins a session. */
    void greeting() {
      if (owner.channel == null) {
        to.greetsFirst();
      }
    }

    /** Handles the peer's answer. Returns whether the handshake continues now. */
    boolean mayContinue(ConnectingHandshake handshake) {
      return owner.channel != null || owner.firstContact.mayContinue(handshake);
    }

    boolean isAt(Destination destination) {
      return to == destination;
    }

    /** Notes that the peer may count the subchannel as connected from here on. */
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
      established.giveUp(subchannel.id, UNWANTED);
      return;
    }
    to.joined(subchannel);
    if (channel == null) {
      channel = established;
      firstContact.end();
      channel.keepRails(this);
      listener.onEstablished(channel);
      List.copyOf(destinations).stream().filter(other -> other != to).forEach(this::join);
    }
  }

  /** Joins the existing session. Tries for a first contact begin again. */
  private void join(Destination to) {
    if (to.isTriedForFirstContact()) {
      to.failed();
    }
    attempt(to);
  }

  private void failed(Destination to, String reason) {
    if (stopped || to.isRemoved()) {
      return;
    }
    to.failed();
    if (channel == null) {
      firstContact.failed(to, reason);
    } else {
      again(to, reason);
      requireOneForMessages(to);
    }
  }

  /**
   * Fails the remaining connections if no connection for messages can be established beside them. Messages would
   * otherwise wait forever.
   */
  private void requireOneForMessages(Destination failed) {
    List<Subchannel> live = channel.live();
    boolean another = destinations.stream().anyMatch(Destination::takesMessages);
    if (!failed.isFurther()
        && !another
        && live.stream().allMatch(subchannel -> subchannel.further)) {
      new ArrayList<>(live)
          .forEach(subchannel -> channel.failSubchannel(
              subchannel, "no connection for messages could be established beside it"));
    }
  }

  private void refused(Destination to, String text, boolean sessionEnded) {
    if (channel != null && sessionEnded && !stopped && endsSession(to)) {
      channel.lose(
          new StreamFailure(StreamFailure.Kind.LOST, channel.description() + " is lost: " + text));
    } else {
      failed(to, "refused: " + text);
    }
  }

  /**
   * Returns whether a refusal at the destination ends the session. A party at an address where the peer never was may
   * not be the peer; the session continues elsewhere.
   */
  private boolean endsSession(Destination to) {
    boolean wasThere =
        to.hasEverJoined() || destinations.stream().noneMatch(Destination::hasEverJoined);
    return wasThere && !channel.hasLiveRail();
  }

  @Override
  public void lost(Subchannel subchannel) {
    for (Destination destination : destinations) {
      if (destination.carrier() == subchannel) {
        destination.lost(
            subchannel.lastedNanos(connections.nowNanos()),
            connections.config().timing().retry());
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
    retry(
        to,
        reason,
        to.nextPauseNanos(connections.config().timing().retry(), connections.randomLong()));
  }

  private boolean isPeersTurn(Destination to) {
    Incarnation peer = channel.peer();
    return !to.isPeerLate()
        && peer.isHigherThan(connections.incarnation())
        && redialed.test(to.target.rail(), to.lastHost());
  }

  private void leaveToPeer(Destination to) {
    long most = connections.config().timing().detectNanos();
    report(
        Kind.RETRYING,
        to,
        "lost; the peer has the higher id and connects; otherwise this side connects in "
            + most / 1_000_000 + " ms");
    later(to, most, () -> {
      to.peerIsLate();
      attempt(to);
    });
  }

  private void retry(Destination to, String reason, long pause) {
    report(Kind.RETRYING, to, reason + "; again in " + pause / 1_000_000 + " ms");
    later(to, pause, () -> attempt(to));
  }

  /** Runs the action after a pause, unless a try begins before. */
  private void later(Destination to, long pause, Runnable action) {
    int tries = to.tries();
    connections.timers().at(connections.nowNanos() + pause, () -> {
      if (to.tries() == tries) {
        action.run();
      }
    });
  }

  void report(Kind kind, Destination destination, String text) {
    channel.report(
        new RailEvent(kind, channel.peerName(), RailEvent.ALL_PATHS, destination.toString(), text));
  }

  @Override
  public void stop() {
    stopped = true;
  }

  /** Releases the references to the subchannels: the session ended and its subchannels are closed. */
  @Override
  public void ended() {
    destinations.forEach(Destination::ended);
    firstContact.forget();
  }

  /**
   * Gives the peer up. A pending HELLO is answered first: the peer may have a session by then, and learns of its end
   * only through the answer.
   */
  void giveUp() {
    stopped = true;
    firstContact.end();
    if (channel != null) {
      channel.abort(givenUp());
    }
  }

  /** Fails a pending first contact because the node closes. */
  void nodeLeaves(String reason) {
    if (!stopped && channel == null) {
      stopped = true;
      firstContact.end();
      Guarded.run("connect", () -> listener.onFailed(reason));
    }
  }

  private String givenUp() {
    return "node '" + connections.nodeName() + "' gave the connection up";
  }
}
