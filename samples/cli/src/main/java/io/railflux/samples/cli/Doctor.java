package io.railflux.samples.cli;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.railflux.samples.cli.shell.FabricOptions;
import io.railflux.samples.cli.shell.Fabrics;
import io.railflux.samples.cli.shell.Json;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Reports which fabrics work on this machine, and the remedy for the others. */
@Command(
    name = "doctor",
    mixinStandardHelpOptions = true,
    description = "Lists the fabrics that work on this machine, and the remedy for the others.",
    footer = {"", "--connect also reports whether a peer answers; --listen waits for one peer."})
final class Doctor implements Runnable {

  @Mixin
  private FabricOptions fabric;

  @Option(names = "--json", description = "Prints one line of JSON.")
  private boolean json;

  @Spec
  private CommandSpec spec;

  /** One fabric in the JSON output. */
  record Finding(String name, boolean available, String reason, String remedy) {}

  /**
   * The JSON output.
   * @param reach present only if an address was given
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Report(List<Finding> fabrics, Reach reach) {}

  @Override
  public void run() {
    String only = fabric.fabric();
    List<Fabrics.Known> asked =
        only.equals(Fabrics.AUTO) ? Fabrics.all() : List.of(Fabrics.known(only));
    List<Finding> findings = asked.stream()
        .map(known -> new Finding(
            known.name(),
            known.availability().available(),
            known.availability().reason(),
            known.availability().remedy()))
        .toList();
    PrintWriter out = spec.commandLine().getOut();
    Reach reach = Reach.of(fabric, out);
    if (json) {
      out.println(Json.line(new Report(findings, reach)));
    } else {
      findings.forEach(finding -> print(out, finding));
      printMachine(out);
      if (reach != null) {
        out.printf("%nreached   %s: %s%n", reach.address(), reach.explanation());
      }
    }
    out.flush();
  }

  private static void print(PrintWriter out, Finding finding) {
    String verdict = finding.available() ? "available" : "not available";
    out.printf("%-6s %-14s %s%n", finding.name(), verdict, finding.reason());
    if (!finding.remedy().isEmpty()) {
      out.printf("%-6s %-14s %s%n", "", "  to do:", finding.remedy());
    }
  }

  private static void printMachine(PrintWriter out) {
    out.println();
    out.printf("JDK       %s (%s)%n", Runtime.version(), System.getProperty("java.vendor"));
    out.printf(
        "machine   %s %s, %d cores%n",
        System.getProperty("os.name"),
        System.getProperty("os.arch"),
        Runtime.getRuntime().availableProcessors());
    out.printf("/dev/shm  %s%n", sharedMemory());
  }

  private static String sharedMemory() {
    try {
      FileStore store = Files.getFileStore(Path.of("/dev/shm"));
      return (store.getTotalSpace() >> 20) + " MiB, " + (store.getUsableSpace() >> 20)
          + " MiB free";
    } catch (IOException e) {
      return "none";
    }
  }
}
