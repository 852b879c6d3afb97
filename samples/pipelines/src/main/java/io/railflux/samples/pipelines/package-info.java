/**
 * Small services: an aggregation, a feed for several readers, a market-data service. Tests run them, and the guides
 * in {@code docs} quote them.
 */
package io.railflux.samples.pipelines;
