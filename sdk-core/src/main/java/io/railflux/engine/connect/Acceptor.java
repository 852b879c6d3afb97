package io.railflux.engine.connect;

import io.railflux.engine.base.Incarnation;
import io.railflux.engine.session.VirtualChannel;
import io.railflux.wire.handshake.Hello;
import io.railflux.wire.handshake.HelloReject;
import io.railflux.wire.handshake.RedialRequest;
import io.railflux.wire.handshake.Versions;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/** Decides on each HELLO: a new session, a further subchannel of a known session, or a refusal. */
final class Acceptor {

  private record SessionKey(Incarnation peer, int session) {}

  private final Connections connections;
  private final Map<SessionKey, VirtualChannel> sessions = new LinkedHashMap<>();
  private Consumer<VirtualChannel> listener = channel -> {};

  Acceptor(Connections connections) {
    this.connections = connections;
  }

  void onAccepted(Consumer<VirtualChannel> newListener) {
    listener = newListener;
  }

  private static SessionKey key(Hello hello) {
    Hello.Identity identity = hello.identity();
    Incarnation peer = new Incarnation(identity.incarnationHigh(), identity.incarnationLow());
    return new SessionKey(peer, hello.attempt().epoch());
  }

  void checkVersion(Hello hello) throws Refusals.Refused {
    if (Versions.SUPPORTED.negotiate(hello.versions()).isEmpty()) {
      throw new Refusals.Refused(
          HelloReject.VERSION,
          "the accepting node supports versions " + Versions.SUPPORTED + ", the connecting node "
              + hello.versions());
    }
  }

  /** Returns whether the session of the HELLO exists. */
  boolean hasSession(Hello hello) {
    return sessions.containsKey(key(hello));
  }

  /** Returns whether a HELLO with another first number has begun the session already. */
  boolean hasOtherAttempt(Hello hello) {
    Hello.Identity identity = hello.identity();
    Incarnation expected = new Incarnation(identity.expectedHigh(), identity.expectedLow());
    VirtualChannel begun = sessions.get(key(hello));
    return expected.equals(Incarnation.NONE) && begun != null && !isOfSession(hello, begun);
  }

  private static boolean isOfSession(Hello hello, VirtualChannel channel) {
    VirtualChannel.Session session = channel.session();
    return session.peerFirstPsn() == hello.attempt().firstPsn();
  }

  /** Checks whether an admitted peer can get what its HELLO requests. */
  void check(Hello hello) throws Refusals.Refused {
    Hello.Identity identity = hello.identity();
    Incarnation expected = new Incarnation(identity.expectedHigh(), identity.expectedLow());
    boolean first = expected.equals(Incarnation.NONE);
    VirtualChannel known = sessions.get(key(hello));
    if (!first && (!expected.equals(connections.incarnation()) || known == null)) {
      throw new Refusals.Refused(
          HelloReject.UNKNOWN_SESSION,
          expected.equals(connections.incarnation())
              ? "the session has ended"
              : "the node restarted");
    }
    if (first) {
      checkNew(known);
    }
    if (known != null) {
      checkFurther(known, hello);
    }
  }

  private void checkNew(VirtualChannel known) throws Refusals.Refused {
    if (known != null) {
      throw new Refusals.Refused(HelloReject.MALFORMED, "the session exists already");
    }
    if (connections.isLeaving()) {
      throw new Refusals.Refused(
          HelloReject.CLOSING, "node '" + connections.nodeName() + "' is closing");
    }
    if (sessions.size() >= connections.config().limits().maxPeers()) {
      throw new Refusals.Refused(
          HelloReject.TOO_MANY_PEERS,
          "node '" + connections.nodeName() + "' serves no more than " + sessions.size()
              + " peers; raise Railflux.maxPeers at that node");
    }
  }

  private static void checkFurther(VirtualChannel known, Hello hello) throws Refusals.Refused {
    if (known.isFull()) {
      throw new Refusals.Refused(
          HelloReject.TOO_MANY_PEERS, "the session has too many subchannels");
    }
    if (known.isGivenUpByPeer(hello.attempt().subchannel())) {
      throw new Refusals.Refused(HelloReject.MALFORMED, "the attempt was given up");
    }
  }

  /**
   * Returns the session of a HELLO, or null for the first HELLO of a session. The random first number is known to the
   * two ends only. Without it, another process on this host could join a shared-memory session over loopback.
   */
  VirtualChannel session(Hello hello) throws Refusals.Refused {
    VirtualChannel known = sessions.get(key(hello));
    if (known != null && !isOfSession(hello, known)) {
      throw new Refusals.Refused(
          HelloReject.MALFORMED, "the connecting node does not know the session");
    }
    return known;
  }

  /** Returns the session of this node for which the peer created an endpoint. */
  Reconnect asked(RedialRequest request) throws Refusals.Refused {
    Incarnation peer = new Incarnation(request.incarnationHigh(), request.incarnationLow());
    for (VirtualChannel channel : connections.channels()) {
      VirtualChannel.Session session = channel.session();
      if (channel.isConnector()
          && !channel.isClosed()
          && peer.equals(session.peer())
          && session.epoch() == request.epoch()
          && session.ownFirstPsn() == request.firstPsn()) {
        return Reconnect.of(channel);
      }
    }
    throw new Refusals.Refused(
        HelloReject.UNKNOWN_SESSION, "the node at this address began no such session");
  }

  void established(Hello hello, VirtualChannel channel) {
    sessions.put(key(hello), channel);
    connections.add(channel);
    listener.accept(channel);
  }

  void forget(VirtualChannel channel) {
    sessions.values().remove(channel);
  }
}
