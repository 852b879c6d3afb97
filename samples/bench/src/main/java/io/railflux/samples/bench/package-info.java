/**
 * JMH benchmarks of the SDK and of its peers. Those of single stages and of a pair of engines in one
 * thread are in the engine's own package, which nobody exports: on the class path they reach it.
 *
 * <p>Depends on the API and the policies.
 */
package io.railflux.samples.bench;
