package io.railflux.samples.cli;

import io.railflux.Node;
import io.railflux.Peer;
import io.railflux.samples.cli.shell.CommandFailure;
import io.railflux.samples.cli.shell.FabricOptions;
import io.railflux.samples.cli.shell.Listening;
import io.railflux.samples.cli.shell.Network;
import java.io.PrintWriter;
import java.time.Duration;

/**
 * Whether two nodes reach each other, and over which rails.
 * @param address listening address of one node
 * @param explanation the peer, the rails to it and their protection
 */
record Reach(String address, String explanation) {

  private static final Duration PATIENCE = Duration.ofSeconds(20);

  /**
   * Returns null without an address. Throws {@link CommandFailure}, or another exception with the reason, if no peer is
   * reached.
   */
  static Reach of(FabricOptions fabric, PrintWriter out) {
    fabric.checkOneSide();
    if (fabric.listen() == null && fabric.connect() == null) {
      return null;
    }
    Node node = fabric.network().node("doctor").start().block();
    try {
      return fabric.connect() == null ? listen(node, fabric.listen(), out) : connect(node, fabric);
    } finally {
      node.close().timeout(PATIENCE).onErrorComplete().block();
    }
  }

  private static Reach connect(Node node, FabricOptions fabric) {
    Peer peer = node.connect(fabric.connect()).block(PATIENCE);
    return new Reach(fabric.connect(), reach(peer));
  }

  private static Reach listen(Node node, String at, PrintWriter out) {
    String address = Network.bind(node, at);
    Listening.announce(out, address);
    Peer peer = node.peers().blockFirst();
    String explanation = reach(peer);
    peer.onClose().block(PATIENCE);
    return new Reach(address, explanation);
  }

  /** Describes the path without its load. */
  private static String reach(Peer peer) {
    return peer.explain().lines().findFirst().orElseThrow();
  }
}
