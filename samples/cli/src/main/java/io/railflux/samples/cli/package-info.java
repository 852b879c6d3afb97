/**
 * The {@code railflux} command.
 *
 * <p>Depends on the API, the policies and the laboratory.
 */
package io.railflux.samples.cli;
