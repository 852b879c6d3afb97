/** The perf command measures a pair of processes, optionally in alternation with a baseline. */
package io.railflux.samples.cli.perf;
