/**
 * Other ways to carry the messages that {@code perf} carries, each with the settings its authors advise: what users
 * would pick instead, and the least that does it. Uses the command line's measure and shell packages.
 */
package io.railflux.samples.bench.peers;
