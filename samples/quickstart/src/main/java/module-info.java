/** The shortest useful programs. */
module io.railflux.samples.quickstart {
  requires io.railflux.core;
  requires micrometer.core;
  requires tools.jackson.databind;

  // Record codecs reach the components of the sample's records.
  opens io.railflux.samples.quickstart to
      io.railflux.core,
      tools.jackson.databind;
}
