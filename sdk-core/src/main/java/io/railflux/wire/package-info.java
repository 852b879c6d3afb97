/**
 * The frames: flyweights and constants, with the layout drawn above each.
 *
 * <p>Little-endian, no I/O and no state. A frame is hostile until it is validated, and an unknown
 * one can be skipped.
 *
 * <p>Depends on {@code buffer} and {@code exceptions} only.
 */
package io.railflux.wire;
