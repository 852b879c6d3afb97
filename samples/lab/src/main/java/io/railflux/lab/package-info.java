/**
 * Experiments on the simulator that repeat the results of the papers.
 *
 * <p>Depends on the API, the policies and, by a qualified export, the engine.
 */
package io.railflux.lab;
