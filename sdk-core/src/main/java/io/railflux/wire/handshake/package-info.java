/**
 * The messages of the handshake, which travel by SEND before a session has a ring. A message is hostile until
 * validated, like a frame.
 *
 * <p>Depends on {@code wire} only.
 */
package io.railflux.wire.handshake;
