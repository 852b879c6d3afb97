package io.railflux.fabric.shm;

import io.railflux.exceptions.FabricUnavailableException;
import io.railflux.fabric.Availability;
import io.railflux.fabric.Fabric;
import io.railflux.fabric.FabricContext;
import io.railflux.fabric.FabricProvider;
import java.nio.file.Path;

/**
 * Shared memory between processes of one user on one Linux host, under {@code /dev/shm}.
 *
 * <p>Locations are names of 1 to 64 characters of {@code A-Z a-z 0-9 . _ -}, or absolute paths of sockets.
 */
public final class ShmFabricProvider implements FabricProvider {

  /** System property that names another directory than {@code /dev/shm}. Both sides need the same directory. */
  public static final String DIRECTORY_PROPERTY = "railflux.shm.directory";

  static final String NAME = "shm";

  private final Path directory;

  /** Creates a provider for the directory of {@value #DIRECTORY_PROPERTY}, by default {@code /dev/shm}. */
  public ShmFabricProvider() {
    this(Path.of(
        System.getProperty(DIRECTORY_PROPERTY, ShmAvailability.DEFAULT_DIRECTORY.toString())));
  }

  /**
   * Creates a provider for a directory.
   *
   * @param directory should be in memory; the kernel writes files on disks back regularly
   */
  public ShmFabricProvider(Path directory) {
    this.directory = directory.toAbsolutePath().normalize();
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Availability availability() {
    return ShmAvailability.of(directory).check();
  }

  @Override
  public Fabric open(FabricContext context) {
    Availability availability = availability();
    if (!availability.available()) {
      throw new FabricUnavailableException(NAME, availability.reason(), availability.remedy());
    }
    return new ShmFabric(ShmCore.open(directory, context));
  }
}
