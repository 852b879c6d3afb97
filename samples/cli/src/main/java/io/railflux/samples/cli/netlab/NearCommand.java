package io.railflux.samples.cli.netlab;

import io.railflux.samples.cli.shell.Json;
import io.railflux.samples.cli.shell.Lifeline;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The process of the near host. It runs the experiment and prints the result as JSON in its last line. */
@Command(name = "netlab-near", hidden = true)
public final class NearCommand implements Callable<Integer> {

  @Mixin
  private Plan plan;

  @Spec
  private CommandSpec spec;

  /** Instantiated by picocli. */
  public NearCommand() {}

  @Override
  public Integer call() throws InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    Lifeline.watch(() -> {});
    Outcome outcome = plan.experiment().run(new Lab(plan, line -> print(out, line)));
    print(out, Json.line(outcome));
    // The lifeline ends this process after the parent has read the result.
    Thread.currentThread().join();
    return 0;
  }

  private static void print(PrintWriter out, String line) {
    out.println(line);
    out.flush();
  }
}
