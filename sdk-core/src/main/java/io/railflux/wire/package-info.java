/**
 * The frames: flyweights, records and constants, with the layout drawn above each.
 *
 * <p>Little-endian whatever the order of the buffer handed in, no I/O and no state beyond one
 * frame. A frame is hostile until it is validated, and an unknown one can be skipped. {@code
 * docs/wire-protocol.md} tells the whole format on one page.
 *
 * <p>Depends on no other package.
 */
package io.railflux.wire;
