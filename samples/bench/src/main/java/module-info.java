/** JMH benchmarks of the SDK and of its peers. */
module io.railflux.samples.bench {
  requires io.railflux.core;
  requires io.railflux.policies;
  requires jmh.core;
}
