package io.railflux.samples.bench.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ProbeTest {

  @Test
  void measuresARoundTripAndLeavesNoFile() throws IOException {
    Probe probe = new Probe(20_000_000);
    assertTrue(probe.micros() > 0);
    assertTrue(probe.micros() > 0);
    String own = "railflux-raw-" + ProcessHandle.current().pid() + "-";
    try (Stream<Path> files = Files.list(Path.of("/dev/shm"))) {
      assertEquals(
          List.of(),
          files.filter(file -> file.getFileName().toString().startsWith(own)).toList());
    }
  }
}
