/**
 * Reports the rails and streams of a running process and shows them live.
 *
 * <p>Depends on {@code shell}.
 */
package io.railflux.samples.cli.stat;
