/**
 * The growth command: what messages, connections and memory cost as sizes and numbers grow. The command starts a near
 * process for each part of an experiment, which starts the far one. Uses the command line's measure and shell
 * packages.
 */
package io.railflux.samples.bench.growth;
