package io.railflux.engine.connect;

import io.railflux.engine.Engine;
import io.railflux.engine.base.EngineConfig;
import io.railflux.engine.base.EngineContext;
import io.railflux.engine.base.EngineHost;
import io.railflux.engine.base.Incarnation;
import io.railflux.engine.base.Rail;
import io.railflux.engine.base.SessionMemory;
import io.railflux.engine.base.Timers;
import io.railflux.engine.path.Subchannel;
import io.railflux.engine.session.ChannelHost;
import io.railflux.engine.session.VirtualChannel;
import io.railflux.fabric.Fabric;
import io.railflux.policy.ChannelKind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Establishes the sessions of a node: listeners, connects, and handshakes on every rail. Engine thread only. */
public final class Connections {

  /** The engine as seen by the connect layer. Engine thread only. */
  public interface Host extends ChannelHost {

    List<VirtualChannel> channels();

    /** Adds the channel of a new session. */
    void add(VirtualChannel channel);

    /** Returns 64 random bits for identities and keys. */
    long randomLong();
  }

  private final Host host;
  private final List<EndpointRegistry> handshakes = new ArrayList<>();
  private final List<Fabric.Listening> listening = new ArrayList<>();
  private final Acceptor acceptor = new Acceptor(this);
  private final Authenticator.NonceCache greetings = new Authenticator.NonceCache();
  private final Secrets secrets;
  private final Refusals refusals;
  private int nextSession = 1;
  private boolean leaving;

  public Connections(Host host) {
    this.host = host;
    this.secrets = new Secrets(host.config().security().secrets());
    this.refusals = new Refusals(host.config(), host::nowNanos);
  }

  /** Enables connections over a rail. Rails are added in the order of their index. */
  public void addRail(Rail rail) {
    handshakes.add(new EndpointRegistry(this, rail));
  }

  /**
   * Accepts peers on a rail and returns the effective location.
   *
   * @throws IOException if the location cannot be bound, or if peers would not be authenticated there and the
   *     configuration does not allow that
   */
  public Fabric.Listening listen(Rail rail, String location) throws IOException {
    Fabric fabric = rail.fabric();
    String objection = config().security().objection(fabric.protectionAt(location));
    if (objection != null) {
      throw new IOException(objection);
    }
    Fabric.Listening opened = fabric.listen(location, handshakes(rail));
    listening.add(opened);
    return new Fabric.Listening() {
      @Override
      public String location() {
        return opened.location();
      }

      @Override
      public void close() {
        listening.remove(opened);
        opened.close();
      }
    };
  }

  /** Sets the listener for peers that connected to this node. */
  public void onAccepted(Consumer<VirtualChannel> listener) {
    acceptor.onAccepted(listener);
  }

  /** Connects as {@link Engine#connect} does. */
  public Runnable connect(List<Rail.Target> targets, ChannelHost.Listener listener) {
    Reconnect connecting = new Reconnect(this, targets, nextSession++, listener);
    connecting.begin();
    return connecting::giveUp;
  }

  /**
   * Stops accepting peers and beginning sessions. Existing sessions continue. The addresses of the node are free
   * immediately, so that a successor may listen there.
   */
  public void leave(String reason) {
    leaving = true;
    listening.forEach(Fabric.Listening::close);
    listening.clear();
    handshakes.forEach(h -> h.nodeLeaves(reason));
  }

  boolean isLeaving() {
    return leaving;
  }

  public void close() {
    handshakes.forEach(EndpointRegistry::close);
  }

  /** Forgets a subchannel whose endpoint closes. */
  public void forget(Subchannel subchannel) {
    handshakes(subchannel.rail).forget(subchannel.endpoint);
  }

  /** Forgets a channel whose session ended. */
  public void forget(VirtualChannel channel) {
    acceptor.forget(channel);
  }

  void add(VirtualChannel channel) {
    host.add(channel);
  }

  List<VirtualChannel> channels() {
    return host.channels();
  }

  ChannelKind firstKind() {
    return host.channelPolicy().initial();
  }

  /** Returns the size of the largest ring that this node grants a peer. */
  int largestRingBytes() {
    return config().limits().ringBytes(host.channelPolicy().largest());
  }

  VirtualChannel newChannel(VirtualChannel.Session session, boolean needsLog) {
    return new VirtualChannel(host, session, needsLog);
  }

  EndpointRegistry handshakes(Rail rail) {
    return handshakes.get(rail.index());
  }

  Acceptor acceptor() {
    return acceptor;
  }

  Secrets secrets() {
    return secrets;
  }

  Authenticator.NonceCache greetings() {
    return greetings;
  }

  public Refusals refusals() {
    return refusals;
  }

  EngineContext context() {
    return host;
  }

  EngineConfig config() {
    return host.config();
  }

  String nodeName() {
    return host.nodeName();
  }

  Incarnation incarnation() {
    return host.incarnation();
  }

  SessionMemory sessionMemory() {
    return host.sessionMemory();
  }

  EngineHost.SequenceOrigins origins() {
    return host.origins();
  }

  boolean hasPostedRail() {
    return host.hasPostedRail();
  }

  Timers timers() {
    return host.timers();
  }

  long nowNanos() {
    return host.nowNanos();
  }

  long randomLong() {
    return host.randomLong();
  }
}
