/**
 * The contract every network fulfils, in the terms of verbs.
 *
 * <p>Rails, endpoints, work requests, completions and memory regions, with capabilities that a
 * fabric declares. What a fabric lacks it says; the engine falls back and tells. One contract
 * suite runs over every fabric.
 *
 * <p>Depends on {@code buffer}, {@code wire} and {@code exceptions} only.
 */
package io.railflux.fabric;
