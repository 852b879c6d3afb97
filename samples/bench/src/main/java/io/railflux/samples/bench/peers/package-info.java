/**
 * Other transports for the messages of {@code perf}, with the settings that their authors recommend: alternatives for
 * users, and baselines. Depends on the command line's measure and shell packages.
 */
package io.railflux.samples.bench.peers;
