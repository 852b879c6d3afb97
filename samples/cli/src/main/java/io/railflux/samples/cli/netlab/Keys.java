package io.railflux.samples.cli.netlab;

import io.railflux.samples.cli.shell.CommandFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

/** Secrets of both hosts, in files of this run. No node listens beyond its host without a secret. */
final class Keys implements AutoCloseable {

  private final Path directory;
  private final boolean tls;

  private Keys(Path directory, boolean tls) {
    this.directory = directory;
    this.tls = tls;
  }

  /**
   * @param tls adds a certificate to the secret; otherwise frames are sealed
   */
  static Keys create(boolean tls, int rails) {
    try {
      Path directory = Files.createTempDirectory("railflux-netlab-");
      Keys keys = new Keys(directory, tls);
      var onlyOwner =
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
      Path secret = Files.createFile(keys.secret(), onlyOwner);
      Files.writeString(secret, UUID.randomUUID().toString() + UUID.randomUUID() + "\n");
      if (tls) {
        Certificates.write(directory, rails);
      }
      return keys;
    } catch (IOException e) {
      throw new CommandFailure("cannot write a secret: " + e.getMessage(), e);
    }
  }

  private Path secret() {
    return directory.resolve("secret");
  }

  /** Returns the arguments for the processes of both hosts. */
  List<String> arguments() {
    List<String> secret = List.of("--secret-file", secret().toString());
    return tls
        ? Stream.concat(secret.stream(), Stream.of("--tls", directory.toString()))
            .toList()
        : secret;
  }

  @Override
  public void close() {
    if (!Files.isDirectory(directory)) {
      return;
    }
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.toList()) {
        Files.deleteIfExists(file);
      }
      Files.deleteIfExists(directory);
    } catch (IOException e) {
      throw new CommandFailure("cannot delete " + directory + ": " + e.getMessage(), e);
    }
  }
}
