package io.railflux.samples.cli.netlab;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;

import io.railflux.samples.cli.perf.PerfCommand;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import picocli.CommandLine;

/** The arguments that one checkout passes to another. */
@Tag("FT7")
class OverheadTest {

  @ParameterizedTest
  @EnumSource(Overhead.Figure.class)
  void passesValidArgumentsToPerf(Overhead.Figure figure) {
    String[] arguments = Overhead.arguments(figure, 2.5).toArray(new String[0]);

    assertDoesNotThrow(() -> new CommandLine(new PerfCommand()).parseArgs(arguments));
  }
}
