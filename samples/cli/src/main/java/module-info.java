/** The railflux command. */
module io.railflux.samples.cli {
  requires com.github.oshi;
  requires info.picocli;
  requires io.railflux.core;
  requires io.railflux.lab;
  requires io.railflux.policies;
  requires tools.jackson.databind;
  requires HdrHistogram;
  requires jdk.management;

  uses io.railflux.fabric.FabricProvider;

  opens io.railflux.samples.cli to
      info.picocli,
      tools.jackson.databind;
  opens io.railflux.samples.cli.shell to
      info.picocli;
  opens io.railflux.samples.cli.demo to
      info.picocli,
      io.railflux.core,
      tools.jackson.databind;
  opens io.railflux.samples.cli.perf to
      info.picocli,
      io.railflux.core,
      tools.jackson.databind;
  opens io.railflux.samples.cli.stat to
      info.picocli,
      tools.jackson.databind;
  opens io.railflux.samples.cli.netlab to
      info.picocli,
      io.railflux.core,
      tools.jackson.databind;
}
