package io.railflux.samples.cli;

import io.railflux.samples.cli.shell.Fabrics;
import io.railflux.samples.cli.shell.Json;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Says which fabrics work on this machine and what to do about the others. */
@Command(
    name = "doctor",
    mixinStandardHelpOptions = true,
    description = "Says which fabrics work on this machine and what to do about the others.")
final class Doctor implements Runnable {

  @Option(
      names = "--fabric",
      defaultValue = Fabrics.AUTO,
      paramLabel = "NAME",
      description = "Only that one: shm, tcp, verbs or disni.")
  private String fabric;

  @Option(names = "--json", description = "Print one line of JSON.")
  private boolean json;

  @Spec
  private CommandSpec spec;

  /** One fabric as the JSON shows it. */
  record Finding(String name, boolean available, String reason, String remedy) {}

  /** The line of JSON. */
  record Report(List<Finding> fabrics) {}

  @Override
  public void run() {
    List<Fabrics.Known> asked =
        fabric.equals(Fabrics.AUTO) ? Fabrics.all() : List.of(Fabrics.known(fabric));
    List<Finding> findings = asked.stream()
        .map(known -> new Finding(
            known.name(),
            known.availability().available(),
            known.availability().reason(),
            known.availability().remedy()))
        .toList();
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      out.println(Json.line(new Report(findings)));
    } else {
      findings.forEach(finding -> print(out, finding));
      printMachine(out);
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
