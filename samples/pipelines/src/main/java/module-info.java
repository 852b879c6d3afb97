/** Send and receive pipelines, one idea a program. */
module io.railflux.samples.pipelines {
  requires io.railflux.core;
  requires io.railflux.policies;
}
