/**
 * The frames: flyweights, records and constants, each with a diagram of its layout.
 *
 * <p>Little-endian regardless of the order of the buffer; no I/O, and no state beyond one frame. A frame is hostile
 * until validated, and unknown frames can be skipped. {@code docs/wire-protocol.md} defines the whole format.
 *
 * <p>Depends on {@code buffer} and {@code exceptions} only.
 */
package io.railflux.wire;
