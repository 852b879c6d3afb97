package io.railflux.fabric.tcp;

import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;

/**
 * How a node shows who it is over TCP and whom it believes: TLS 1.3, from files in PEM form. Immutable;
 * every method returns a changed copy. Files are read when the fabric is opened.
 *
 * <p>A node that listens needs an {@linkplain #identity identity}; one that connects needs it only where
 * the other side {@linkplain #requireClientCertificates asks for one}. With TLS a node neither takes nor
 * makes connections without it: there is no way down.
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

  /** No identity; believes the authorities that the JVM believes. */
  public static Tls create() {
    return new Tls(null, null, null, false);
  }

  /**
   * Who this node is.
   *
   * @param certificates its certificate and those that lead to the authority; it must name the hosts
   *     that others connect to
   * @param privateKey PKCS#8, without a password
   */
  public Tls identity(Path certificates, Path privateKey) {
    return new Tls(
        Objects.requireNonNull(certificates, "certificates"),
        Objects.requireNonNull(privateKey, "privateKey"),
        trusted,
        clientCertificates);
  }

  /** Believes these authorities (or these very certificates) only, not those of the JVM. */
  public Tls trust(Path authorities) {
    return new Tls(
        certificates,
        privateKey,
        Objects.requireNonNull(authorities, "authorities"),
        clientCertificates);
  }

  /**
   * Whoever connects to this node must show a certificate of the authorities that it {@linkplain #trust trusts}, which
   * have to be named: those of the JVM do not count, as they certify anybody unless set otherwise. Default: need not.
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
