package io.railflux;

import io.railflux.fabric.FabricProvider;
import io.railflux.fabric.shm.ShmFabricProvider;
import io.railflux.fabric.tcp.TcpFabricProvider;
import io.railflux.security.Encryption;
import io.railflux.security.SecretSource;
import java.nio.file.Path;

/** The meeting point of a hostile peer and a node: the fabric, and the peer's knowledge of the secret. */
enum Ground {
  SHM,
  TCP,

  /** The peer knows the secret, is authenticated by it, and then misbehaves. */
  TCP_SECRET(true, true, Encryption.NEVER),

  /** As {@link #TCP_SECRET}, with correctly sealed frames. */
  TCP_SEALED(true, true, Encryption.ALWAYS),

  /** The node has a secret that the peer does not know. */
  TCP_STRANGER(true, false, Encryption.ALWAYS);

  private static final String SECRET = "a secret of the tests, long enough";

  private final boolean needsSecret;
  private final boolean knowsSecret;
  private final Encryption encryption;

  Ground() {
    this(false, false, Encryption.AUTO);
  }

  Ground(boolean needsSecret, boolean knowsSecret, Encryption encryption) {
    this.needsSecret = needsSecret;
    this.knowsSecret = knowsSecret;
    this.encryption = encryption;
  }

  FabricProvider fabric(Path directory) {
    return this == SHM ? new ShmFabricProvider(directory) : new TcpFabricProvider();
  }

  /** Configures a node to which honest peers can connect. */
  Railflux configure(Railflux config, Path directory) {
    Railflux placed = config.fabrics(fabric(directory)).encryption(encryption);
    return needsSecret ? placed.secret(SecretSource.callback(() -> SECRET)) : placed;
  }

  String newAddress(Nodes nodes) {
    return this == SHM ? nodes.newAddress() : "tcp:127.0.0.1:0";
  }

  /** Returns the keys of the peer, or null without a secret. */
  RawKeys keys() {
    return knowsSecret ? new RawKeys(SECRET, isSealed()) : null;
  }

  boolean letsIn() {
    return needsSecret == knowsSecret;
  }

  boolean isSealed() {
    return encryption == Encryption.ALWAYS;
  }

  /** Returns whether regions are mapped. Otherwise they are written by requests. */
  boolean isMapped() {
    return this == SHM;
  }
}
