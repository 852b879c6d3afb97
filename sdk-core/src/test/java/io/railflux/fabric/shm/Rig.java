package io.railflux.fabric.shm;

import io.railflux.engine.IoLoop;
import io.railflux.fabric.Endpoint;
import io.railflux.fabric.Fabric;
import io.railflux.fabric.shm.files.UserDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assertions;

/** Two fabrics of this process in a private directory of shared memory. */
final class Rig implements AutoCloseable {

  private static final long PATIENCE_NANOS = 10_000_000_000L;

  final Path base;
  final Loop nearLoop;
  final Loop farLoop;
  final Fabric near;
  final Fabric far;
  final Ears nearEars = new Ears();
  final Ears farEars = new Ears();

  Rig() throws IOException {
    this(() -> IoLoop.fastest(System::nanoTime));
  }

  /**
   * @param loop creates the loop of each side
   */
  Rig(Supplier<IoLoop> loop) throws IOException {
    nearLoop = new Loop(loop.get());
    farLoop = new Loop(loop.get());
    base = Files.createTempDirectory(Path.of("/dev/shm"), "railflux-test-");
    near = new ShmFabricProvider(base).open(nearLoop);
    far = new ShmFabricProvider(base).open(farLoop);
  }

  /** Connects near to far once more. The latest endpoints of both listeners belong together. */
  void connect() throws IOException {
    int before = farEars.connected.size();
    try (Fabric.Listening listening = far.listen("rig", farEars)) {
      near.connect(listening.location(), 1, nearEars);
      await(() -> nearEars.connected.size() > before && farEars.connected.size() > before);
    }
  }

  Endpoint nearEnd() {
    return nearEars.connected.get(nearEars.connected.size() - 1);
  }

  Endpoint farEnd() {
    return farEars.connected.get(farEars.connected.size() - 1);
  }

  void poll() {
    near.poll(64);
    far.poll(64);
  }

  void await(BooleanSupplier condition) {
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    while (!condition.getAsBoolean()) {
      Assertions.assertTrue(
          System.nanoTime() < deadline,
          () -> "no connection; near " + nearEars.completed + nearEars.errors + nearEars.refused
              + "; far " + farEars.completed + farEars.errors);
      poll();
    }
  }

  Path userDirectory() throws IOException {
    return UserDirectory.open(base).path();
  }

  /** Returns the names of all files below the user's directory, without locks and directories. */
  List<String> files() throws IOException {
    try (Stream<Path> files = Files.walk(userDirectory())) {
      return files
          .filter(file -> !Files.isDirectory(file))
          .map(file -> file.getFileName().toString())
          .filter(name -> !name.endsWith("lock"))
          .sorted()
          .toList();
    }
  }

  @Override
  public void close() throws IOException {
    near.close();
    far.close();
    nearLoop.close();
    farLoop.close();
    deleteTree(base);
  }

  static void deleteTree(Path root) throws IOException {
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : files.sorted((a, b) -> b.compareTo(a)).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }
}
