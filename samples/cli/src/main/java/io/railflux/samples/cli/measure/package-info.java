/** The messages, the duration and the baselines of all measurements. Depends on the shell package. */
package io.railflux.samples.cli.measure;
