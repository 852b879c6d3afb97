package io.railflux.security;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * Where the secrets of a node come from: one per line, each at least 16 bytes of UTF-8 and random. The
 * first is used to connect, every one of them is accepted. So secrets change without a restart: add the
 * new one as second line everywhere, then make it the first line everywhere, then drop the old one.
 *
 * <p>Asked on the engine thread at every handshake: an answer must come at once, so remember it and get
 * news elsewhere.
 */
@FunctionalInterface
public interface SecretSource {
  /**
   * The secrets valid now, the one to connect with first; at least one.
   *
   * @throws IllegalStateException when they cannot be had; it says why and what to do. Those known before
   *     stay valid then.
   */
  List<String> secrets();

  /**
   * Lines of a file, read again when it was changed. A file that all users may read, or that others may
   * change, is refused.
   */
  static SecretSource file(Path path) {
    return new SecretFile(Objects.requireNonNull(path, "path"));
  }

  /** Lines of an environment variable. */
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

  /** Lines that the supplier answers with. */
  static SecretSource callback(Supplier<String> supplier) {
    Objects.requireNonNull(supplier, "supplier");
    return () -> {
      String value = supplier.get();
      if (value == null) {
        throw new IllegalStateException("the callback for secrets answered null");
      }
      return SecretLines.of(value, "the callback for secrets");
    };
  }
}
