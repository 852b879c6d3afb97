package io.railflux.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.railflux.engine.base.Security;
import io.railflux.fabric.Checksum;
import io.railflux.fabric.Protection;
import io.railflux.security.Encryption;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A node requests checksums if nothing else detects changed bytes. */
class ChecksumWishTest {

  @ParameterizedTest
  @CsvSource({
    "NONE,       ,       REQUIRED",
    "LOOPBACK,   ,       REQUIRED",
    "TLS,        ,       ALLOWED",
    "TLS_MUTUAL, ,       ALLOWED",
    "NONE,       AUTO,   ALLOWED",
    "LOOPBACK,   AUTO,   REQUIRED",
    "LOOPBACK,   ALWAYS, ALLOWED",
    "NONE,       NEVER,  REQUIRED"
  })
  void requestsChecksumsIfFramesAreNotAuthenticated(
      Protection protection, Encryption ofSecret, Checksum expected) {
    Security security = Security.DEFAULT.withChecksum(Checksum.REQUIRED);
    if (ofSecret != null) {
      security = security.withSecrets(() -> List.of("s")).withEncryption(ofSecret);
    }

    assertEquals(expected, security.checksum(protection));
  }

  @ParameterizedTest
  @CsvSource({"NONE", "LOOPBACK"})
  void doesNotRequestChecksumsByDefault(Protection protection) {
    assertEquals(Checksum.ALLOWED, Security.DEFAULT.checksum(protection));
  }
}
