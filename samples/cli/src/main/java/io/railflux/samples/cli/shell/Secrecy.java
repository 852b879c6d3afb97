package io.railflux.samples.cli.shell;

import io.railflux.Railflux;
import io.railflux.fabric.FabricProvider;
import io.railflux.fabric.tcp.TcpFabricProvider;
import io.railflux.fabric.tcp.Tls;
import io.railflux.security.Encryption;
import io.railflux.security.SecretSource;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** What a command is told about secrets, and how it tells its children. */
public final class Secrecy {

  @Option(
      names = "--secret-file",
      paramLabel = "FILE",
      description =
          "Both sides have to know a secret of this file, the first line of it to connect.")
  private Path secretFile;

  @Option(
      names = "--encrypt",
      description =
          "Encrypt on every fabric, this host's shared memory included; needs --secret-file.")
  private boolean encrypt;

  @Option(
      names = "--allow-unauthenticated",
      description = "Listen without a secret where other hosts reach it: any of them may connect.")
  private boolean allowUnauthenticated;

  @Option(
      names = "--tls",
      paramLabel = "DIRECTORY",
      description =
          "Over tcp, TLS by cert.pem and key.pem in there, which both sides show and trust.")
  private Path tls;

  /** The configuration with what was said. */
  public Railflux apply(Railflux configuration) {
    Railflux changed = configuration;
    if (secretFile != null) {
      changed = changed.secret(SecretSource.file(secretFile));
    }
    if (allowUnauthenticated) {
      changed = changed.allowUnauthenticated();
    }
    return encrypt ? changed.encryption(Encryption.ALWAYS) : changed;
  }

  /** The fabric with what was said. */
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

  /** The same for another process. */
  public List<String> arguments() {
    List<String> arguments = new ArrayList<>();
    if (secretFile != null) {
      arguments.addAll(List.of("--secret-file", secretFile.toAbsolutePath().toString()));
    }
    if (encrypt) {
      arguments.add("--encrypt");
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
