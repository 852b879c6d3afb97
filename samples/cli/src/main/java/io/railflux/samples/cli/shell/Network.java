package io.railflux.samples.cli.shell;

import io.railflux.Node;
import io.railflux.Peer;
import io.railflux.Railflux;
import io.railflux.exceptions.BindFailedException;
import io.railflux.exceptions.PeerUnreachableException;
import io.railflux.fabric.FabricProvider;
import java.time.Duration;
import java.util.List;
import reactor.util.retry.Retry;

/**
 * The fabrics and secrets of the nodes of a command.
 * @param fabrics names of fabrics, at least one
 * @param secrecy secrets of all nodes
 */
public record Network(List<String> fabrics, Secrecy secrecy) {

  private static final int ATTEMPTS = 20;
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  /** Returns the network for processes of this host. */
  public Network local() {
    return new Network(List.of(Fabrics.firstUsable()), secrecy);
  }

  /** Returns the measured fabric. */
  public String fabric() {
    return fabrics.get(0);
  }

  /** Returns the configuration of a node on these fabrics. */
  public Railflux node(String name) {
    FabricProvider[] providers =
        fabrics.stream().map(Fabrics::require).map(secrecy::apply).toArray(FabricProvider[]::new);
    return secrecy.apply(Railflux.create().name(name).fabrics(providers));
  }

  /** Returns a listening address for other processes of this command. Binding determines the effective address. */
  public String ownAddress(String role) {
    return switch (fabric()) {
      case Fabrics.SHM -> "shm:railflux-" + role + "-" + ProcessHandle.current().pid();
      case Fabrics.TCP -> "tcp:127.0.0.1:0";
      // Listens on every card. The effective address is that of the first card.
      case Fabrics.VERBS -> "verbs:*:0";
      default ->
        throw new CommandFailure("over " + fabric() + " both sides need the address of a card:"
            + " start one with --fabric " + fabric()
            + " --listen HOST:PORT, the other with --connect");
    };
  }

  /** Binds an address and returns the effective address. */
  public static String bind(Node node, String address) {
    try {
      return node.bind(address).block(PATIENCE);
    } catch (BindFailedException e) {
      String how = e.getMessage().contains("allowUnauthenticated")
          ? "; the options are --secret-file, --tls and --allow-unauthenticated"
          : "";
      throw new CommandFailure(e.getMessage() + how, e);
    }
  }

  /** Connects to another process of this command. On a busy machine the process may answer slowly. */
  public static Peer connect(Node node, String address) {
    return node.connect(address)
        .retryWhen(Retry.fixedDelay(ATTEMPTS, Duration.ofMillis(50))
            .filter(PeerUnreachableException.class::isInstance)
            .onRetryExhaustedThrow((retries, last) -> last.failure()))
        .block();
  }

  /** Returns the host in an address {@code fabric:host:port}, or an empty string. */
  public static String host(String address) {
    int begin = address.indexOf(':') + 1;
    int end = address.lastIndexOf(':');
    return end < begin ? "" : address.substring(begin, end).replaceAll("[\\[\\]]", "");
  }
}
