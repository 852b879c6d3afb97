/**
 * The compare command runs {@code perf} and each peer in alternation, in new processes each time, and relates their
 * figures. Depends on the peers package and on the command line's measure and shell packages.
 */
package io.railflux.samples.bench.compare;
