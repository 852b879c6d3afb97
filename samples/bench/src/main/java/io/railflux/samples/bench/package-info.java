/**
 * JMH benchmarks of the SDK and of its peers.
 *
 * <p>Depends on the API and the policies.
 */
package io.railflux.samples.bench;
