package io.railflux.samples.cli.shell;

import io.railflux.Railflux;
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

  /** The configuration with what was said. */
  public Railflux apply(Railflux configuration) {
    Railflux changed = configuration;
    if (secretFile != null) {
      changed = changed.secret(SecretSource.file(secretFile));
    }
    return encrypt ? changed.encryption(Encryption.ALWAYS) : changed;
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
    return arguments;
  }
}
