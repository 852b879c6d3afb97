package io.railflux.samples.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Usage errors are reported in one line with the remedy, without a stack trace. */
class UsageTest {

  /** Child processes print no error of their own. */
  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      2 | perf --frobnicate                       | Unknown option
      1 | perf --connect 127.0.0.1:1              | start the other side first: perf --listen tcp:127.0.0.1:1
      1 | demo --input /etc/passwd --output /etc  | cannot write /etc: Is a directory
      """)
  void processPrintsUsageErrorsInOneLine(int code, String arguments, String expected)
      throws Exception {
    Command.Ended ended = Command.run(arguments.split(" "));
    assertEquals(code, ended.code(), ended.err());
    assertEquals(1, ended.errorLines().size(), ended.err());
    assertTrue(ended.errorLines().get(0).contains(expected), ended.err());
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      2 | dance                                   | choose demo, perf, simulate, doctor
      2 | perf --workload dance                   | choose latency, wake-up,
      2 | perf --size many                        | --size
      2 | perf --size 4                           | --size must be 8 to
      2 | perf --workload idle --raw              | --raw has no baseline
      2 | perf --workload cold --raw              | --raw has no baseline
      1 | perf --fabric disni                     | perf: fabric disni is not available
      1 | perf --fabric token-ring                | choose auto or one of shm
      1 | perf --connect nobody-listens-here      | start the other side first: perf --listen shm:nobody-listens-here
      2 | perf --size 2147483647                  | --size must be 8 to 1073741824
      2 | perf --listen a --connect b             | exclude each other
      2 | perf --fabric shm --connect tcp:h:1     | --fabric shm does not serve the address tcp:h:1
      1 | demo --connect 127.0.0.1:1              | start the other side first: demo --listen
      1 | perf --listen *:0                       | the options are --secret-file, --tls
      2 | demo --connect h:1 --output /tmp/x      | belong to the other side
      2 | demo --listen h:1 --seconds 3           | belong to the other side
      1 | doctor --fabric token-ring              | choose auto or one of shm
      2 | demo --seconds 0                        | --seconds must be
      2 | demo --slow-sink -1                     | --slow-sink must be
      2 | demo --output /tmp/x                    | needs --input
      1 | demo --input /nonexistent               | no such file; name a file that can be read
      1 | demo --input /etc/passwd --output /nowhere/y | cannot write /nowhere/y: there is no such directory
      2 | simulate --trace                        | --trace needs --seed
      """)
  void reportsUsageErrorsInOneLine(int code, String arguments, String expected) {
    StringWriter err = new StringWriter();
    int ended = Main.commandLine().setErr(new PrintWriter(err)).execute(arguments.split(" "));
    assertEquals(code, ended, err.toString());
    assertEquals(1, err.toString().lines().count(), err.toString());
    assertTrue(err.toString().contains(expected), err.toString());
  }
}
