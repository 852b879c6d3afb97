/**
 * What the rails of a running process do: told by that process to who asks, and shown live.
 *
 * <p>Depends on {@code shell}.
 */
package io.railflux.samples.cli.stat;
