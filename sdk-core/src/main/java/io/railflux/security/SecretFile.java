package io.railflux.security;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Secrets in a file, which is read again when its time, size or identity changes. */
final class SecretFile implements SecretSource {

  private static final long MAX_BYTES = 64 << 10;

  private static final Set<PosixFilePermission> TOO_MUCH = EnumSet.of(
      PosixFilePermission.GROUP_WRITE,
      PosixFilePermission.OTHERS_READ,
      PosixFilePermission.OTHERS_WRITE);

  /** Attributes that identify the content of the file without reading it. */
  private record Version(FileTime time, long bytes, Object file) {}

  private final Path path;
  private Version version;
  private List<String> secrets;

  SecretFile(Path path) {
    this.path = path;
  }

  @Override
  public synchronized List<String> secrets() {
    try {
      BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class);
      Version found =
          new Version(attributes.lastModifiedTime(), attributes.size(), attributes.fileKey());
      if (!found.equals(version)) {
        secrets = read(found);
        version = found;
      }
      return secrets;
    } catch (IOException e) {
      throw new IllegalStateException("secret file " + path + " cannot be read: " + e, e);
    }
  }

  private List<String> read(Version found) throws IOException {
    requireOwn();
    if (found.bytes() > MAX_BYTES) {
      throw new IllegalStateException("secret file " + path + " has " + found.bytes()
          + " bytes, at most " + MAX_BYTES + " are read; is the path correct?");
    }
    return SecretLines.of(Files.readString(path), "secret file " + path);
  }

  private void requireOwn() throws IOException {
    PosixFileAttributeView view = Files.getFileAttributeView(path, PosixFileAttributeView.class);
    if (view == null) {
      return;
    }
    Set<PosixFilePermission> permissions = view.readAttributes().permissions();
    for (PosixFilePermission permission : TOO_MUCH) {
      if (permissions.contains(permission)) {
        throw new IllegalStateException("secret file " + path + " is open to other users ("
            + permission + "); close it with: chmod 600 " + path);
      }
    }
  }

  @Override
  public String toString() {
    return "file " + path;
  }
}
