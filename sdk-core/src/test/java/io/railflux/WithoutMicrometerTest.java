package io.railflux;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.fabric.shm.ShmFabricProvider;
import io.railflux.message.Codecs;
import java.io.File;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import reactor.core.publisher.Flux;

/** Micrometer is optional: without a registry no class of it is loaded. */
class WithoutMicrometerTest {

  @RegisterExtension
  final LeakCheck leaks = new LeakCheck();

  @Test
  void nodesRunWithoutMicrometerOnTheClassPath() throws Exception {
    String classPath = System.getProperty("java.class.path");
    String without = Arrays.stream(classPath.split(File.pathSeparator, -1))
        .filter(entry -> !entry.contains("micrometer"))
        .collect(Collectors.joining(File.pathSeparator));
    assertTrue(without.length() < classPath.length(), "it was already missing");

    Process process = new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-cp",
            without,
            Streaming.class.getName(),
            leaks.directory().toString())
        .inheritIO()
        .start();
    assertTrue(process.waitFor(30, TimeUnit.SECONDS));
    assertEquals(0, process.exitValue());
  }

  /** Runs a stream between two nodes. Exits with 1 after a failure. */
  static final class Streaming {

    private Streaming() {}

    public static void main(String[] arguments) {
      assertFalse(isThere("io.micrometer.core.instrument.MeterRegistry"));
      Railflux config = Railflux.create().fabrics(new ShmFabricProvider(Path.of(arguments[0])));
      Node server = config.name("server").start().block(Nodes.PATIENCE);
      Node client = config.name("client").start().block(Nodes.PATIENCE);
      server.bind("shm:plain").block(Nodes.PATIENCE);
      Peer peer = client.connect("shm:plain").block(Nodes.PATIENCE);
      server
          .peers()
          .flatMap(to -> to.send("numbers", Codecs.int32(), Flux.range(0, 10)))
          .subscribe();
      assertEquals(10L, peer.receive("numbers", Codecs.int32()).count().block(Nodes.PATIENCE));
      client.close().then(server.close()).block(Nodes.PATIENCE);
    }

    private static boolean isThere(String type) {
      try {
        Class.forName(type);
        return true;
      } catch (ClassNotFoundException e) {
        return false;
      }
    }
  }
}
