/** Send and receive pipelines, one idea a program. */
module io.railflux.samples.pipelines {
  requires io.railflux.core;

  // Record codecs reach the components of the sample's records.
  opens io.railflux.samples.pipelines to
      io.railflux.core;
}
