package io.railflux.security;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * Source of the secrets of a node: one per line, each random and at least 16 bytes of UTF-8. The node connects with
 * the first secret and accepts all of them. Secrets therefore change without a restart: add the new secret as second
 * line on every node, make it the first line on every node, and remove the old one.
 *
 * <p>The engine thread reads the source at every handshake. An implementation must not block.
 */
@FunctionalInterface
public interface SecretSource {
  /**
   * Returns the valid secrets.
   *
   * @return at least one secret; the node connects with the first
   * @throws IllegalStateException if the source fails; the message contains reason and remedy. The last result then
   *     stays valid
   */
  List<String> secrets();

  /**
   * Reads secrets from the lines of a file, again after each change. A file that all users may read, or that other
   * users may write, is refused.
   *
   * @param path path of the file
   * @return the source
   */
  static SecretSource file(Path path) {
    return new SecretFile(Objects.requireNonNull(path, "path"));
  }

  /**
   * Reads secrets from the lines of an environment variable.
   *
   * @param name name of the variable
   * @return the source
   */
  static SecretSource environment(String name) {
    Objects.requireNonNull(name, "name");
    return () -> {
      String value = System.getenv(name);
      if (value == null) {
        throw new IllegalStateException(
            "environment variable " + name + " is not set; set it to a secret");
      }
      return SecretLines.of(value, "environment variable " + name);
    };
  }

  /**
   * Reads secrets from the lines that a callback returns.
   *
   * @param supplier called on the engine thread at every handshake, must not block
   * @return the source
   */
  static SecretSource callback(Supplier<String> supplier) {
    Objects.requireNonNull(supplier, "supplier");
    return () -> {
      String value = supplier.get();
      if (value == null) {
        throw new IllegalStateException("the callback for secrets returned null");
      }
      return SecretLines.of(value, "the callback for secrets");
    };
  }
}
