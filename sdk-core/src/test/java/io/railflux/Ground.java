package io.railflux;

import io.railflux.fabric.FabricProvider;
import io.railflux.fabric.shm.ShmFabricProvider;
import io.railflux.fabric.tcp.TcpFabricProvider;
import io.railflux.security.Encryption;
import io.railflux.security.SecretSource;
import java.nio.file.Path;

/** Where a hostile peer meets a node: over which fabric, and what of the node's secret he knows. */
enum Ground {
  SHM,
  TCP,

  /** The peer knows the secret, is let in by it, and misbehaves then. */
  TCP_SECRET(true, true, Encryption.NEVER),

  /** As well, and seals his frames as he should. */
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

  /** What makes a node of the configuration that honest peers can connect to. */
  Railflux configure(Railflux config, Path directory) {
    Railflux placed = config.fabrics(fabric(directory)).encryption(encryption);
    return needsSecret ? placed.secret(SecretSource.callback(() -> SECRET)) : placed;
  }

  String newAddress(Nodes nodes) {
    return this == SHM ? nodes.newAddress() : "tcp:127.0.0.1:0";
  }

  /** What the peer knows; null when nothing. */
  RawKeys keys() {
    return knowsSecret ? new RawKeys(SECRET, isSealed()) : null;
  }

  boolean letsIn() {
    return needsSecret == knowsSecret;
  }

  boolean isSealed() {
    return encryption == Encryption.ALWAYS;
  }

  /** Whether regions are mapped; else they are written to by requests. */
  boolean isMapped() {
    return this == SHM;
  }
}
