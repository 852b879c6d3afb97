/**
 * The growth command measures the cost of messages, connections and memory by size and number. The command starts a
 * near process for each part of an experiment, which starts the far process. Depends on the command line's measure and
 * shell packages.
 */
package io.railflux.samples.bench.growth;
