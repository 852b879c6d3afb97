package io.railflux.engine;

import io.railflux.wire.Hello;
import io.railflux.wire.HelloReject;
import io.railflux.wire.RedialRequest;
import io.railflux.wire.Versions;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/** Decides about HELLOs: a new session, a further subchannel of a known one, or a refusal. */
final class Acceptor {

  private record SessionKey(Incarnation peer, int session) {}

  private final Engine engine;
  private final Map<SessionKey, VirtualChannel> sessions = new LinkedHashMap<>();
  private Consumer<VirtualChannel> listener = channel -> {};

  Acceptor(Engine engine) {
    this.engine = engine;
  }

  void onAccepted(Consumer<VirtualChannel> newListener) {
    listener = newListener;
  }

  private static SessionKey key(Hello hello) {
    Hello.Identity identity = hello.identity();
    Incarnation peer = new Incarnation(identity.incarnationHigh(), identity.incarnationLow());
    return new SessionKey(peer, hello.attempt().epoch());
  }

  void checkVersion(Hello hello) throws Refused {
    if (Versions.SUPPORTED.negotiate(hello.versions()).isEmpty()) {
      throw new Refused(
          HelloReject.VERSION,
          "this node speaks versions " + Versions.SUPPORTED + ", not " + hello.versions());
    }
  }

  /** Whether somebody who may come in gets what the HELLO asks for. */
  void check(Hello hello) throws Refused {
    Hello.Identity identity = hello.identity();
    Incarnation expected = new Incarnation(identity.expectedHigh(), identity.expectedLow());
    boolean first = expected.equals(Incarnation.NONE);
    VirtualChannel known = sessions.get(key(hello));
    if (!first && (!expected.equals(engine.incarnation()) || known == null)) {
      throw new Refused(
          HelloReject.UNKNOWN_SESSION,
          expected.equals(engine.incarnation()) ? "the session has ended" : "the node restarted");
    }
    if (first && known != null) {
      throw new Refused(HelloReject.MALFORMED, "the session exists already");
    }
    if (first && engine.isLeaving()) {
      throw new Refused(HelloReject.CLOSING, "node '" + engine.nodeName() + "' is closing");
    }
    if (first && sessions.size() >= engine.config().limits().maxPeers()) {
      throw new Refused(HelloReject.TOO_MANY_PEERS, "more than " + sessions.size() + " peers");
    }
    if (known != null && known.recovery().isFull()) {
      throw new Refused(HelloReject.TOO_MANY_PEERS, "the session has too many subchannels");
    }
    if (known != null && known.recovery().isGivenUpByPeer(hello.attempt().subchannel())) {
      throw new Refused(HelloReject.MALFORMED, "the attempt was given up");
    }
  }

  /**
   * The session of a HELLO, null for the first one of a session. Its first number, which is random, is known to
   * its two ends alone: somebody else on this host would else join over loopback what began in shared memory.
   */
  VirtualChannel session(Hello hello) throws Refused {
    VirtualChannel known = sessions.get(key(hello));
    if (known != null
        && known.session().hello().attempt().firstPsn() != hello.attempt().firstPsn()) {
      throw new Refused(HelloReject.MALFORMED, "the peer does not know the session");
    }
    return known;
  }

  /** The session, made by this node, for which a peer made an endpoint. */
  Reconnect asked(RedialRequest request) throws Refused {
    Incarnation peer = new Incarnation(request.incarnationHigh(), request.incarnationLow());
    for (VirtualChannel channel : engine.channels()) {
      if (channel.isConnector()
          && !channel.isClosed()
          && channel.peer().equals(peer)
          && channel.epoch() == request.epoch()
          && channel.session().ownFirstPsn() == request.firstPsn()) {
        return channel.connecting();
      }
    }
    throw new Refused(HelloReject.UNKNOWN_SESSION, "this node made no such session");
  }

  void established(Hello hello, VirtualChannel channel) {
    sessions.put(key(hello), channel);
    engine.add(channel);
    listener.accept(channel);
  }

  void forget(VirtualChannel channel) {
    sessions.values().remove(channel);
  }
}
