/**
 * JMH benchmarks of the SDK and of its peers. Benchmarks of single stages and of a pair of engines on one thread use
 * internal packages, which are accessible on the class path.
 *
 * <p>Depends on the API and the policies.
 */
package io.railflux.samples.bench;
