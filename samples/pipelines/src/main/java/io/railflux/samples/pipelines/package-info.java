/**
 * Small services as one would write them: an aggregation, a feed for several readers, a market-data
 * service. Each is run by a test and quoted by the guides in {@code docs}.
 */
package io.railflux.samples.pipelines;
