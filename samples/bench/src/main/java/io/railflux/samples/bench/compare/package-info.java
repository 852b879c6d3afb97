/**
 * The compare command: runs {@code perf} and each peer in turn, a fresh pair of processes each time, and sets their
 * figures beside each other. Uses the peers package and the command line's measure and shell packages.
 */
package io.railflux.samples.bench.compare;
