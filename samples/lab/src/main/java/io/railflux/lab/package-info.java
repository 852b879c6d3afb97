/**
 * Experiments on the simulator: the results of the papers, repeated and exceeded.
 *
 * <p>Depends on the API, the policies and, by a qualified export, the engine.
 */
package io.railflux.lab;
