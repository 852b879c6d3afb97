/** The perf command: measures a pair of processes, if asked beside a bare ring. */
package io.railflux.samples.cli.perf;
