/** Small services built from send and receive pipelines. */
module io.railflux.samples.pipelines {
  requires io.railflux.core;

  // Record codecs reach the components of the sample's records.
  opens io.railflux.samples.pipelines to
      io.railflux.core;
}
