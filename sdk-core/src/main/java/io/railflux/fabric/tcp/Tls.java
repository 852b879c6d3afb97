package io.railflux.fabric.tcp;

import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;

/**
 * Settings of TLS 1.3, from files in PEM format. Immutable; every method returns a modified copy. The start of a node
 * reads the files.
 *
 * <p>A listening node needs an {@linkplain #identity identity}. A connecting node needs one if the other side
 * {@linkplain #requireClientCertificates requires} it. A node with TLS neither accepts nor makes connections without
 * it.
 */
public final class Tls {

  private final Path certificates;
  private final Path privateKey;
  private final Path trusted;
  private final boolean clientCertificates;

  private Tls(Path certificates, Path privateKey, Path trusted, boolean clientCertificates) {
    this.certificates = certificates;
    this.privateKey = privateKey;
    this.trusted = trusted;
    this.clientCertificates = clientCertificates;
  }

  /**
   * Creates settings without an identity that trust the authorities of the JVM.
   *
   * @return the settings
   */
  public static Tls create() {
    return new Tls(null, null, null, false);
  }

  /**
   * Sets the identity of this node.
   *
   * @param certificates certificate of the node, followed by those up to the authority; it must name the hosts that
   *     peers connect to
   * @param privateKey PKCS#8, without a password
   * @return a modified copy
   */
  public Tls identity(Path certificates, Path privateKey) {
    return new Tls(
        Objects.requireNonNull(certificates, "certificates"),
        Objects.requireNonNull(privateKey, "privateKey"),
        trusted,
        clientCertificates);
  }

  /**
   * Trusts the given authorities or certificates only, not those of the JVM.
   *
   * @param authorities file with certificates
   * @return a modified copy
   */
  public Tls trust(Path authorities) {
    return new Tls(
        certificates,
        privateKey,
        Objects.requireNonNull(authorities, "authorities"),
        clientCertificates);
  }

  /**
   * Requires connecting nodes to show a certificate of the {@linkplain #trust trusted} authorities. These must be
   * set, because the authorities of the JVM certify any host. Not required by default.
   *
   * @return a modified copy
   */
  public Tls requireClientCertificates() {
    return new Tls(certificates, privateKey, trusted, true);
  }

  Optional<Path> certificates() {
    return Optional.ofNullable(certificates);
  }

  Path privateKey() {
    return privateKey;
  }

  Optional<Path> trusted() {
    return Optional.ofNullable(trusted);
  }

  boolean requiresClientCertificates() {
    return clientCertificates;
  }
}
