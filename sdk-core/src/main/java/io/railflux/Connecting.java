package io.railflux;

import io.railflux.engine.session.ChannelHost;
import io.railflux.engine.session.VirtualChannel;
import io.railflux.exceptions.PeerUnreachableException;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.MonoSink;

/** Tries the ways to a peer in order until one succeeds. Engine thread only. */
final class Connecting implements ChannelHost.Listener {

  private static final Logger LOG = LoggerFactory.getLogger(Connecting.class);

  private final Node node;
  private final List<PathResolver.Way> ways;
  private final MonoSink<Peer> sink;
  private final List<String> failures = new ArrayList<>();
  private int current = -1;
  private Runnable giveUp = () -> {};

  Connecting(Node node, List<PathResolver.Way> ways, MonoSink<Peer> sink) {
    this.node = node;
    this.ways = ways;
    this.sink = sink;
  }

  void begin() {
    sink.onCancel(() -> node.engine().execute(() -> giveUp.run()));
    next();
  }

  private void next() {
    current++;
    giveUp = node.engine().connect(ways.get(current).targets(), this);
  }

  @Override
  public void onEstablished(VirtualChannel channel) {
    Peer peer = new Peer(node, channel, ways.get(current).reason());
    LOG.info("node '{}' connected to {}", node.name(), peer.reach());
    Guarded.run(() -> sink.success(peer));
    node.ways().established(channel);
    node.discovery().connected(channel, ways.get(current).targets());
  }

  @Override
  public void onFailed(String reason) {
    failures.add(reason);
    if (node.isClosed()) {
      sink.error(node.closedError());
    } else if (current + 1 < ways.size()) {
      next();
    } else {
      String text = node.name() + ": " + String.join("; ", failures);
      sink.error(new PeerUnreachableException(text));
    }
  }
}
