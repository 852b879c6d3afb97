/**
 * The SPI of networks, in terms of verbs: rails, endpoints, work requests, completions and memory regions.
 *
 * <p>A fabric declares its abilities as capabilities. The engine replaces missing abilities and logs them. One
 * contract suite runs over every fabric.
 *
 * <p>Depends on {@code buffer}, {@code wire} and {@code exceptions} only.
 */
@NullMarked
package io.railflux.fabric;

import org.jspecify.annotations.NullMarked;
