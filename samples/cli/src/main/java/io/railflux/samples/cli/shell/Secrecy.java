package io.railflux.samples.cli.shell;

import io.railflux.Railflux;
import io.railflux.fabric.Checksum;
import io.railflux.fabric.FabricProvider;
import io.railflux.fabric.tcp.TcpFabricProvider;
import io.railflux.fabric.tcp.Tls;
import io.railflux.security.Encryption;
import io.railflux.security.SecretSource;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** The options for secrets, which a command passes on to its child processes. */
public final class Secrecy {

  @Option(
      names = "--secret-file",
      paramLabel = "FILE",
      description =
          "Secrets that both sides share, one per line; the connecting side uses the first.")
  private Path secretFile;

  @Option(
      names = "--encrypt",
      description = "Encrypts on every fabric, including shared memory; needs --secret-file.")
  private boolean encrypt;

  @Option(
      names = "--checksum",
      description = "Detects bytes that change in transit over tcp, by a checksum in each frame.")
  private boolean checksum;

  @Option(
      names = "--allow-unauthenticated",
      description =
          "Permits to listen without a secret: any host that reaches the address may connect.")
  private boolean allowUnauthenticated;

  @Option(
      names = "--tls",
      paramLabel = "DIRECTORY",
      description =
          "TLS over tcp by cert.pem and key.pem in DIRECTORY, which both sides show and trust.")
  private Path tls;

  /** Returns the configuration with these options. */
  public Railflux apply(Railflux configuration) {
    Railflux changed = configuration;
    if (secretFile != null) {
      changed = changed.secret(SecretSource.file(secretFile));
    }
    if (allowUnauthenticated) {
      changed = changed.allowUnauthenticated();
    }
    if (checksum) {
      changed = changed.checksum(Checksum.REQUIRED);
    }
    return encrypt ? changed.encryption(Encryption.ALWAYS) : changed;
  }

  /** Returns the fabric with these options. */
  FabricProvider apply(FabricProvider provider) {
    if (tls == null || !(provider instanceof TcpFabricProvider tcp)) {
      return provider;
    }
    Path certificate = tls.resolve("cert.pem");
    Tls both = Tls.create()
        .identity(certificate, tls.resolve("key.pem"))
        .trust(certificate)
        .requireClientCertificates();
    return tcp.tls(both);
  }

  /** Returns these options as arguments for another process. */
  public List<String> arguments() {
    List<String> arguments = new ArrayList<>();
    if (secretFile != null) {
      arguments.addAll(List.of("--secret-file", secretFile.toAbsolutePath().toString()));
    }
    if (encrypt) {
      arguments.add("--encrypt");
    }
    if (checksum) {
      arguments.add("--checksum");
    }
    if (allowUnauthenticated) {
      arguments.add("--allow-unauthenticated");
    }
    if (tls != null) {
      arguments.addAll(List.of("--tls", tls.toAbsolutePath().toString()));
    }
    return arguments;
  }
}
