/**
 * {@code railflux netlab}: two hosts with several rails between them, made of network namespaces of this
 * machine, and what Railflux makes of rails that are unequal, change, die and return.
 *
 * <p>Three processes: the command makes the namespaces, one process a host measures. Depends on the shell and on
 * measure.
 */
package io.railflux.samples.cli.netlab;
