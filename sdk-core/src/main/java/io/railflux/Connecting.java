package io.railflux;

import io.railflux.engine.Engine;
import io.railflux.engine.base.Guarded;
import io.railflux.engine.session.ChannelHost;
import io.railflux.engine.session.VirtualChannel;
import io.railflux.exceptions.PeerUnreachableException;
import io.railflux.fabric.FabricListener;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.MonoSink;

/** Tries the choices of targets for a peer in order until one succeeds. Engine thread only. */
final class Connecting implements ChannelHost.Listener {

  private static final Logger LOG = LoggerFactory.getLogger(Connecting.class);

  private final Engine engine;
  private final Peer.Services services;
  private final Sessions sessions;
  private final Discovery discovery;
  private final Shutdown shutdown;
  private final List<PathResolver.Choice> choices;
  private final MonoSink<Peer> sink;
  private final List<String> failures = new ArrayList<>();
  private int current = -1;
  private Runnable giveUp = () -> {};

  Connecting(
      Engine engine,
      Peer.Services services,
      Sessions sessions,
      Discovery discovery,
      Shutdown shutdown,
      List<PathResolver.Choice> choices,
      MonoSink<Peer> sink) {
    this.engine = engine;
    this.services = services;
    this.sessions = sessions;
    this.discovery = discovery;
    this.shutdown = shutdown;
    this.choices = choices;
    this.sink = sink;
  }

  void begin() {
    sink.onCancel(() -> engine.execute(() -> giveUp.run()));
    next();
  }

  private void next() {
    current++;
    giveUp = engine.connect(choices.get(current).targets(), this);
  }

  @Override
  public void onEstablished(VirtualChannel channel) {
    Peer peer = new Peer(services, channel, choices.get(current).reason());
    LOG.info("node '{}' connected to {}", services.config().name(), peer.reach());
    sessions.joined(peer, channel);
    Guarded.run("connect", () -> sink.success(peer));
    services.paths().established(channel);
    discovery.connected(channel, choices.get(current).targets());
  }

  @Override
  public void onFailed(String reason) {
    failures.add(reason);
    if (shutdown.isClosed()) {
      sink.error(shutdown.closedError());
    } else if (current + 1 < choices.size()) {
      next();
    } else {
      sink.error(new PeerUnreachableException("node '" + services.config().name()
          + "' cannot connect: " + String.join("; ", failures) + remedy()));
    }
  }

  private String remedy() {
    boolean nothing =
        failures.stream().allMatch(reason -> reason.contains(FabricListener.NOTHING_LISTENS));
    return nothing ? "; is the other node started?" : "";
  }
}
