/** Plots of figures. Depends on no other package. */
package io.railflux.samples.bench.plot;
