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
 * What the nodes of a command run on.
 *
 * @param fabrics their names, at least one
 * @param secrecy what all of them know
 */
public record Network(List<String> fabrics, Secrecy secrecy) {

  private static final int ATTEMPTS = 20;
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  /** The one for processes of this host. */
  public Network local() {
    return new Network(List.of(Fabrics.firstUsable()), secrecy);
  }

  /** The one that is measured or shown. */
  public String fabric() {
    return fabrics.get(0);
  }

  /** Configuration of a node on these fabrics. */
  public Railflux node(String name) {
    FabricProvider[] providers =
        fabrics.stream().map(Fabrics::require).map(secrecy::apply).toArray(FabricProvider[]::new);
    return secrecy.apply(Railflux.create().name(name).fabrics(providers));
  }

  /** Where a process of this command listens for others of it; binding tells the address in effect. */
  public String ownAddress(String role) {
    return switch (fabric()) {
      case Fabrics.SHM -> "shm:railflux-" + role + "-" + ProcessHandle.current().pid();
      case Fabrics.TCP -> "tcp:127.0.0.1:0";
      // At every card; the address in effect is that of the first.
      case Fabrics.VERBS -> "verbs:*:0";
      default ->
        throw new CommandFailure("over " + fabric() + " both sides need the address of a card:"
            + " start one with --fabric " + fabric()
            + " --listen HOST:PORT, the other with --connect");
    };
  }

  /** Returns the address in effect. */
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

  /** Connects to another process of this command, which on a busy machine may be slow to answer. */
  public static Peer connect(Node node, String address) {
    return node.connect(address)
        .retryWhen(Retry.fixedDelay(ATTEMPTS, Duration.ofMillis(50))
            .filter(PeerUnreachableException.class::isInstance)
            .onRetryExhaustedThrow((retries, last) -> last.failure()))
        .block();
  }

  /** The host in an address {@code fabric:host:port}; empty where there is none. */
  public static String host(String address) {
    int begin = address.indexOf(':') + 1;
    int end = address.lastIndexOf(':');
    return end < begin ? "" : address.substring(begin, end).replaceAll("[\\[\\]]", "");
  }
}
