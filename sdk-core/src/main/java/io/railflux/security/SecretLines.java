package io.railflux.security;

import java.nio.charset.StandardCharsets;
import java.util.List;

/** Splits and validates the text of a source. */
final class SecretLines {

  private static final int MIN_BYTES = 16;

  private SecretLines() {}

  static List<String> of(String text, String where) {
    List<String> lines =
        text.lines().map(String::strip).filter(line -> !line.isEmpty()).toList();
    if (lines.isEmpty()) {
      throw new IllegalStateException(where + " holds no secret; put one into its first line");
    }
    for (String line : lines) {
      int bytes = line.getBytes(StandardCharsets.UTF_8).length;
      if (bytes < MIN_BYTES) {
        throw new IllegalStateException(where + " holds a secret of " + bytes + " bytes, "
            + MIN_BYTES + " are needed; make one with: openssl rand -base64 32");
      }
    }
    return lines;
  }
}
