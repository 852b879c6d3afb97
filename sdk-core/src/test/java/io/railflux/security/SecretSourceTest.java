package io.railflux.security;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The sources of secrets, and their errors. */
class SecretSourceTest {

  private static final String ONE = "the first secret of some length";
  private static final String TWO = "the second secret of some length";

  @TempDir
  Path directory;

  private Path write(String text, String permissions) throws IOException {
    Path file = directory.resolve("secret");
    Files.writeString(file, text);
    if (hasPermissions()) {
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
    }
    return file;
  }

  private static boolean hasPermissions() {
    return FileSystems.getDefault().supportedFileAttributeViews().contains("posix");
  }

  private static String complaint(SecretSource source) {
    return assertThrows(IllegalStateException.class, source::secrets).getMessage();
  }

  @Test
  void fileContainsOneSecretPerLine() throws IOException {
    Path file = write(ONE + "\n\n  " + TWO + "\r\n", "rw-------");
    assertEquals(List.of(ONE, TWO), SecretSource.file(file).secrets());
  }

  @Test
  void changedFileIsReadAgain() throws IOException {
    Path file = write(ONE, "rw-------");
    SecretSource source = SecretSource.file(file);
    assertEquals(List.of(ONE), source.secrets());
    Files.writeString(file, TWO);
    assertEquals(List.of(TWO), source.secrets());
  }

  @Test
  void replacedFileOfEqualSizeAndTimeIsReadAgain() throws IOException {
    assumeTrue(hasPermissions(), "only there files have an identity");
    Path file = write(ONE, "rw-------");
    SecretSource source = SecretSource.file(file);
    assertEquals(List.of(ONE), source.secrets());
    FileTime time = Files.getLastModifiedTime(file);
    Path other = directory.resolve("other");
    Files.writeString(other, ONE.toUpperCase(Locale.ROOT));
    Files.setPosixFilePermissions(other, PosixFilePermissions.fromString("rw-------"));
    Files.setLastModifiedTime(other, time);
    Files.move(other, file, StandardCopyOption.REPLACE_EXISTING);
    assertEquals(List.of(ONE.toUpperCase(Locale.ROOT)), source.secrets());
  }

  @ParameterizedTest
  @ValueSource(strings = {"rw-r--r--", "rw-rw----", "rw----r--", "rw-----w-"})
  void rejectsAFileThatIsOpenToOtherUsers(String permissions) throws IOException {
    assumeTrue(hasPermissions(), "this file system has no permissions");
    String complaint = complaint(SecretSource.file(write(ONE, permissions)));
    assertTrue(complaint.contains("is open to other users"), complaint);
    assertTrue(complaint.contains("chmod 600"), complaint);
  }

  @ParameterizedTest
  @ValueSource(strings = {"rw-------", "r--------", "r--r-----"})
  void acceptsAFileForItsUserOrGroup(String permissions) throws IOException {
    assertEquals(List.of(ONE), SecretSource.file(write(ONE, permissions)).secrets());
  }

  @Test
  void namesAMissingFile() {
    String complaint = complaint(SecretSource.file(directory.resolve("none")));
    assertTrue(complaint.contains("secret file " + directory.resolve("none")), complaint);
  }

  @Test
  void doesNotReadAFileThatIsTooLarge() throws IOException {
    String complaint = complaint(SecretSource.file(write("x".repeat(100_000), "rw-------")));
    assertTrue(complaint.contains("is the path correct?"), complaint);
  }

  @Test
  void rejectsAShortSecretWithoutRevealingIt() throws IOException {
    String complaint = complaint(SecretSource.file(write("hunter2", "rw-------")));
    assertTrue(complaint.contains("7 bytes, 16 are needed"), complaint);
    assertTrue(!complaint.contains("hunter2"), complaint);
  }

  @Test
  void environmentAndCallbacksAreReadEveryTime() {
    String[] now = {ONE};
    SecretSource callback = SecretSource.callback(() -> now[0]);
    assertEquals(List.of(ONE), callback.secrets());
    now[0] = TWO + "\n" + ONE;
    assertEquals(List.of(TWO, ONE), callback.secrets());
    now[0] = null;
    assertTrue(complaint(callback).contains("returned null"));
    assertTrue(complaint(SecretSource.environment("RAILFLUX_NOT_SET")).contains("is not set"));
  }
}
