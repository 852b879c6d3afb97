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
 * <p>Locations are names of 1 to 64 characters out of {@code A-Z a-z 0-9 . _ -}, or absolute paths
 * of sockets.
 */
public final class ShmFabricProvider implements FabricProvider {

  /** Names another directory than {@code /dev/shm}; both sides need the same. */
  public static final String DIRECTORY_PROPERTY = "railflux.shm.directory";

  static final String NAME = "shm";
  static final Path DEFAULT_DIRECTORY = Path.of("/dev/shm");

  private final Path directory;

  /** In the directory of {@value #DIRECTORY_PROPERTY}, else in {@code /dev/shm}. */
  public ShmFabricProvider() {
    this(Path.of(System.getProperty(DIRECTORY_PROPERTY, DEFAULT_DIRECTORY.toString())));
  }

  /**
   * In a directory of the caller's choice.
   *
   * @param directory should be in memory; on a disk the kernel writes it back now and then
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
