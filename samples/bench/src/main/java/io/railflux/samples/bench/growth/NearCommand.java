package io.railflux.samples.bench.growth;

import io.railflux.samples.cli.shell.Json;
import io.railflux.samples.cli.shell.Lifeline;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The measured node. Runs a part of an experiment and prints its figures as lines of JSON. */
@Command(name = "near", hidden = true)
final class NearCommand implements Callable<Integer> {

  @Mixin
  private Plan plan;

  @Spec
  private CommandSpec spec;

  @Override
  public Integer call() throws InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    try (Session session = Session.open(plan, line -> print(out, line))) {
      Lifeline.watch(session::close);
      plan.experiment().of(session).run(figure -> print(out, Json.line(figure)));
      print(out, NearProcess.DONE);
      // The lifeline ends this process.
      Thread.currentThread().join();
    }
    return 0;
  }

  private static void print(PrintWriter out, String line) {
    out.println(line);
    out.flush();
  }
}
