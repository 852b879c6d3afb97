package io.railflux.samples.quickstart;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SharedSecretTest {

  @TempDir
  Path directory;

  private Path secretFile;

  @BeforeEach
  void write() throws IOException {
    secretFile = directory.resolve("secret");
    Files.writeString(secretFile, "a secret that is hard to guess\n");
    Files.setPosixFilePermissions(secretFile, PosixFilePermissions.fromString("rw-------"));
  }

  @Test
  void peerWithTheSecretReceivesMessages() {
    assertEquals(List.of("one", "two"), SharedSecret.run(Addresses.fresh(), secretFile));
  }

  @Test
  void peerWithoutTheSecretIsRejected() {
    assertFalse(SharedSecret.acceptsWithoutSecret(Addresses.fresh(), secretFile));
  }
}
