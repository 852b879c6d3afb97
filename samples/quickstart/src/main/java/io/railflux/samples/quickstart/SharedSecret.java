package io.railflux.samples.quickstart;

import io.railflux.Node;
import io.railflux.Peer;
import io.railflux.Railflux;
import io.railflux.exceptions.PeerUnreachableException;
import io.railflux.message.Codecs;
import io.railflux.security.Encryption;
import io.railflux.security.SecretSource;
import java.nio.file.Path;
import java.util.List;
import reactor.core.publisher.Flux;

/** Only peers with the secret connect, and the network cannot read messages. */
final class SharedSecret {

  private SharedSecret() {}

  // tag::secret[]
  static Railflux secured(Path secretFile) {
    return Railflux.create().name("secured").secret(SecretSource.file(secretFile));
  }
  // end::secret[]

  /** Returns the messages of a peer with the secret. */
  static List<String> run(String address, Path secretFile) {
    Railflux secured = secured(secretFile).encryption(Encryption.ALWAYS);
    Node server = secured.start().block();
    Node client = secured.name("reader").start().block();
    try {
      server.bind(address).block();
      server
          .peers()
          .flatMap(peer -> peer.send("secrets", Codecs.utf8(), Flux.just("one", "two")))
          .subscribe();
      Peer peer = client.connect(address).block();
      return peer.receive("secrets", Codecs.utf8()).collectList().block(TwoNodes.PATIENCE);
    } finally {
      client.close().then(server.close()).block();
    }
  }

  /** Returns whether a peer without the secret can connect. */
  static boolean acceptsWithoutSecret(String address, Path secretFile) {
    Node server = secured(secretFile).start().block();
    Node stranger = Railflux.create().name("stranger").start().block();
    try {
      server.bind(address).block();
      stranger.connect(address).block(TwoNodes.PATIENCE);
      return true;
    } catch (PeerUnreachableException refused) {
      return false;
    } finally {
      stranger.close().then(server.close()).block();
    }
  }
}
