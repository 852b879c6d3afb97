package io.railflux.lab;

import io.railflux.engine.base.Incarnation;
import io.railflux.engine.base.Rail;
import io.railflux.engine.connect.Reconnect;
import io.railflux.engine.connect.Redials;
import io.railflux.engine.session.ChannelHost;
import io.railflux.engine.session.VirtualChannel;
import io.railflux.fabric.Capabilities.Feature;
import io.railflux.fabric.sim.SimNetwork;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The nodes of a run and their sessions. Reconnects nodes whose sessions end. */
final class Cluster {

  private static final String SERVICE = "lab";
  private static final long RETRY_NANOS = 2_000_000;

  /** Messages that an idle session carries after its idle spell. */
  private static final int AFTER_IDLENESS = 40;

  /** Time within which a reported death must end a session. Well below the shortest detection bound of a rail. */
  private static final long DEATH_KNOWN_NANOS = 1_000_000;

  private final SimNetwork network;
  private final Scenario scenario;
  private final Journal journal;
  private final SeededRandom random;
  private final SimulatedNode acceptor;
  private final List<SimulatedNode> connectors = new ArrayList<>();
  private final List<Link> links = new ArrayList<>();
  private final Map<SimulatedNode, PositionedFlow> positioned = new HashMap<>();

  // Never iterated: the hash order must not influence a run.
  private final Map<Long, Flow> flows = new HashMap<>();
  private int messages;
  private boolean stopped;

  /** Every session may be lost, including later ones. */
  private boolean lossy;

  /** Memory is the only resource that fails in this run. */
  private boolean sound;

  Cluster(SimNetwork network, Scenario scenario, Journal journal, SeededRandom random) {
    this.network = network;
    this.scenario = scenario;
    this.journal = journal;
    this.random = random;
    this.messages = scenario.load().messages();
    this.acceptor = new SimulatedNode(network, "a", scenario, journal, random.fork());
    for (int i = 0; i < scenario.connectors(); i++) {
      String name = String.valueOf((char) ('b' + i));
      connectors.add(new SimulatedNode(network, name, scenario, journal, random.fork()));
    }
    for (SimulatedNode connector : connectors) {
      positioned.put(connector, new PositionedFlow(journal, random.fork()));
    }
  }

  void start() {
    acceptor.open();
    serve(acceptor);
    listen(acceptor);
    for (SimulatedNode connector : connectors) {
      connector.open();
      beginAgain(connector);
      connector.laterOnEngine(random.micros(0, 100), () -> connect(connector));
    }
  }

  private void beginAgain(SimulatedNode connector) {
    serve(connector);
    if (scenario.bothListen()) {
      listen(connector);
    }
  }

  private void listen(SimulatedNode node) {
    for (int rail = 0; rail < scenario.network().rails(); rail++) {
      try {
        node.engine().listen(node.engine().rails().get(rail), SERVICE);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private void serve(SimulatedNode node) {
    for (boolean single : new boolean[] {true, false}) {
      Replier replier = new Replier(node, flows, single, journal, random.fork());
      node.engine().respond(single ? Exchanging.SINGLE : Exchanging.MANY, replier);
    }
  }

  private void connect(SimulatedNode node) {
    if (stopped) {
      return;
    }
    List<Rail.Target> targets = new ArrayList<>();
    for (int rail = 0; rail < scenario.network().rails(); rail++) {
      targets.add(target(node, rail));
    }
    node.engine().connect(targets, new Connecting(node));
  }

  /** Returns the address of the listening node on one rail, as the connector sees it. */
  Rail.Target target(SimulatedNode connector, int rail) {
    return new Rail.Target(connector.engine().rails().get(rail), place(acceptor));
  }

  private static String place(SimulatedNode node) {
    return node.name() + "/" + SERVICE;
  }

  private final class Connecting implements ChannelHost.Listener {

    private final SimulatedNode node;

    Connecting(SimulatedNode node) {
      this.node = node;
    }

    @Override
    public void onEstablished(VirtualChannel channel) {
      established(node, channel);
    }

    /** The acceptor may hold a session that this side does not know: of another engine, under another name. */
    @Override
    public void onFailed(String reason) {
      journal.record(Seen.CONNECT_FAILED, node.name().charAt(0), 0);
      journal.note(node.name() + ": " + reason);
      journal.require(
          !sound
              || reason.contains("has no memory for another peer")
              // The other side waits for memory longer than this side for the answer.
              || reason.contains("no HELLO in time"),
          node.name() + " was refused for a reason other than memory: " + reason);
      node.later(RETRY_NANOS, () -> reopen(node));
    }
  }

  private void reopen(SimulatedNode node) {
    node.close("reconnecting");
    node.open();
    beginAgain(node);
    node.laterOnEngine(0, () -> connect(node));
  }

  private void established(SimulatedNode node, VirtualChannel channel) {
    journal.record(Seen.CONNECTED, node.name().charAt(0), 0);
    if (stopped) {
      channel.abort("the run ends");
      return;
    }
    VirtualChannel other = accepted(node.engine().incarnation());
    if (!acceptor.isOpen() || other == null) {
      // The acceptor died while it answered.
      channel.abort("the peer is gone");
      node.later(RETRY_NANOS, () -> reopen(node));
      return;
    }
    if (scenario.bothListen()) {
      Redials.of(other).peerListens((rail, host) -> place(node));
      Reconnect.of(channel).peerRedials((rail, host) -> true);
    }
    Link link =
        new Link(new Side(node, channel), new Side(acceptor, other), journal, random.fork());
    links.add(link);
    if (lossy) {
      link.mayLose();
    }
    int share = Math.max(20, messages * 3 / 4 / scenario.connectors());
    messages = Math.max(0, messages - share);
    Scenario.Load load = new Scenario.Load(share, scenario.load().flood());
    link.begin(load, Math.max(scenario.faultNanos(), 3_000_000), flows);
    positioned.get(node).resume(new Side(acceptor, other), new Side(node, channel));
    channel.onEnd(failure -> again(node, link));
  }

  private VirtualChannel accepted(Incarnation peer) {
    VirtualChannel last = null;
    for (VirtualChannel channel : acceptor.engine().channels()) {
      last = channel.peer().equals(peer) ? channel : last;
    }
    return last;
  }

  private void again(SimulatedNode node, Link link) {
    if (!stopped && link.isLost()) {
      node.laterOnEngine(RETRY_NANOS, () -> connect(node));
    }
  }

  void kill(SimulatedNode node) {
    journal.record(Seen.KILLED, node.name().charAt(0), 0);
    mayLose(node);
    List<Link> cut = new ArrayList<>(links);
    cut.removeIf(link -> !link.concerns(node) || link.isSpent());
    node.kill();
    if (scenario.network().capabilities().has(Feature.PEER_DEATH_REPORTED)) {
      network.schedule(DEATH_KNOWN_NANOS, () -> cut.forEach(link -> link.requireDeathKnown(node)));
    }
  }

  void restart(SimulatedNode node) {
    node.restart();
    if (node == acceptor) {
      serve(acceptor);
      listen(acceptor);
    } else {
      beginAgain(node);
      node.laterOnEngine(0, () -> connect(node));
    }
  }

  /** Allows the loss of the sessions of a node, or of all sessions if {@code node} is null. */
  void mayLose(SimulatedNode node) {
    lossy |= node == null;
    for (Link link : links) {
      if (node == null || link.concerns(node)) {
        link.mayLose();
      }
    }
  }

  /** Forbids the loss of present and future sessions. */
  void mustLive() {
    lossy = false;
    links.forEach(Link::mustLive);
  }

  /** Requires that every session ended: each one was cut off for longer than its partition bound. */
  void requireAllLost() {
    for (Link link : links) {
      journal.require(link.isOver(), "a session waits longer than the partition bound");
    }
  }

  /** Starts new flows in sessions that were idle. */
  void beginAnew() {
    for (Link link : links) {
      if (!link.isSpent()) {
        link.begin(new Scenario.Load(AFTER_IDLENESS, false), RETRY_NANOS, flows);
      }
    }
  }

  /** From now on, a node may refuse a connector for lack of memory only. */
  void onlyMemoryFails() {
    sound = true;
  }

  /** From now on, rails fail as well, and a node may refuse a connector for that reason. */
  void railsFail() {
    sound = false;
  }

  SimulatedNode acceptor() {
    return acceptor;
  }

  List<SimulatedNode> nodes() {
    List<SimulatedNode> all = new ArrayList<>(connectors);
    all.add(acceptor);
    return all;
  }

  List<SimulatedNode> connectors() {
    return connectors;
  }

  List<Link> links() {
    return links;
  }

  /** Returns whether every connector has a session and every session has settled. */
  boolean isSettled() {
    for (Link link : links) {
      if (link.isSpent() ? !link.isOver() : !link.isSettled()) {
        return false;
      }
    }
    return connectors.stream().allMatch(this::hasLiveLink)
        && connectors.stream().allMatch(connector -> positioned.get(connector).isComplete());
  }

  private boolean hasLiveLink(SimulatedNode node) {
    return links.stream().anyMatch(link -> link.concerns(node) && !link.isSpent());
  }

  boolean isQuiet() {
    return links.stream().allMatch(link -> link.isSpent() || link.isQuiet());
  }

  /** Stops the creation of new sessions. */
  void stop() {
    stopped = true;
  }

  boolean isStopped() {
    return stopped;
  }
}
