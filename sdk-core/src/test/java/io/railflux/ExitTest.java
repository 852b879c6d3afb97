package io.railflux;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.fabric.shm.ShmFabricProvider;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A JVM that exits while its node closes. {@link LeakCheck} verifies that no resource remains. */
class ExitTest {

  @RegisterExtension
  final LeakCheck leaks = new LeakCheck();

  @Test
  void exitWaitsForAClosingNode() throws Exception {
    Process process = new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            Exiting.class.getName(),
            leaks.directory().toString())
        .inheritIO()
        .start();
    assertTrue(process.waitFor(30, TimeUnit.SECONDS));
    assertEquals(0, process.exitValue());
  }

  /** The exit begins immediately after the close. */
  static final class Exiting {

    private static final long BUSY_NANOS = 500_000_000;

    private Exiting() {}

    public static void main(String[] arguments) {
      Node node = Railflux.create()
          .fabrics(new ShmFabricProvider(Path.of(arguments[0])))
          .start()
          .block();
      node.engine().execute(() -> LockSupport.parkNanos(BUSY_NANOS));
      node.abort();
    }
  }
}
