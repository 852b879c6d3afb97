/**
 * {@code railflux netlab}: two hosts with several rails between them, built from network namespaces of this machine.
 * Measures Railflux on rails that differ, change, die and return.
 *
 * <p>Uses three processes: the command creates the namespaces, and one process per host measures. Depends on the shell
 * and on measure.
 */
package io.railflux.samples.cli.netlab;
