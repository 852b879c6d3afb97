/** The railflux command. */
module io.railflux.samples.cli {
  requires com.github.oshi;
  requires info.picocli;
  requires io.railflux.core;
  requires io.railflux.lab;
  requires io.railflux.policies;
  requires tools.jackson.databind;
  requires HdrHistogram;

  opens io.railflux.samples.cli to
      info.picocli;
}
