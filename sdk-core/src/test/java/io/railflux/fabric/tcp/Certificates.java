package io.railflux.fabric.tcp;

import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.nio.file.Files;
import java.nio.file.Path;

/** A certificate authority and certificates of it, in files as users have them. */
public final class Certificates {

  private final Path directory;
  private final X509Bundle authority;

  public Certificates(Path directory, String name) throws Exception {
    this.directory = directory;
    this.authority = new CertificateBuilder()
        .subject("CN=" + name)
        .setIsCertificateAuthority(true)
        .buildSelfSigned();
    Files.writeString(authority(), authority.getCertificatePEM());
  }

  public Path authority() {
    return directory.resolve("authority-" + System.identityHashCode(this) + ".pem");
  }

  /** Creates a certificate of this authority for IP addresses. */
  public Tls identity(String name, String... addresses) throws Exception {
    CertificateBuilder builder = new CertificateBuilder().subject("CN=" + name);
    for (String address : addresses) {
      builder.addSanIpAddress(address);
    }
    X509Bundle bundle = builder.buildIssuedBy(authority);
    Path certificates = directory.resolve(name + ".pem");
    Path key = directory.resolve(name + ".key");
    Files.writeString(certificates, bundle.getCertificatePathPEM());
    Files.writeString(key, bundle.getPrivateKeyPEM());
    return Tls.create().identity(certificates, key).trust(authority());
  }
}
