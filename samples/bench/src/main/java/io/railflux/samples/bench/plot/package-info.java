/** Figures as pictures. Uses no other package. */
package io.railflux.samples.bench.plot;
