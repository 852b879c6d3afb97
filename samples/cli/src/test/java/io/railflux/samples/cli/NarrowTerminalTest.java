package io.railflux.samples.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.railflux.Depth;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The live view in a pseudo terminal of any width. */
class NarrowTerminalTest {

  private static final Path SCRIPT = Path.of("/usr/bin/script");

  static IntStream widths() {
    return IntStream.of(10, 30, 200).limit(Depth.of(1, 3));
  }

  @ParameterizedTest
  @MethodSource("widths")
  void eachLineOfTheViewOccupiesOneRow(int columns) throws Exception {
    assumeTrue(Files.isExecutable(SCRIPT), "script of util-linux makes the pseudo terminal");
    Screen screen = new Screen(columns);
    screen.show(demo(columns));

    List<String> view = screen.rowsFrom("source");
    assertTrue(screen.redrawn() > 0, "the view was never redrawn");
    assertEquals("stage", view.get(1).substring(0, 5), screen::toString);
    assertEquals("sink", view.get(2).substring(0, 4), screen::toString);
    assertEquals("host", view.get(3).substring(0, 4), screen::toString);
  }

  private static String demo(int columns) throws Exception {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    String command = "stty cols " + columns + "; exec '" + java
        + "' -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -cp '" + System.getProperty("java.class.path")
        + "' " + Main.class.getName() + " demo --seconds 2";
    Path out = Files.createTempFile("railflux", ".tty");
    Process process = new ProcessBuilder(SCRIPT.toString(), "-qec", command, "/dev/null")
        .redirectOutput(out.toFile())
        .redirectErrorStream(true)
        .start();
    try {
      assertTrue(process.waitFor(3, TimeUnit.MINUTES), "the demo did not end");
      String output = Files.readString(out, StandardCharsets.UTF_8);
      assertEquals(0, process.exitValue(), output);
      return output;
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
      Files.delete(out);
    }
  }
}
