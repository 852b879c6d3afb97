/** Sockets between two processes: the handshake, doorbells and the end of the other process. */
@NullMarked
package io.railflux.fabric.shm.socket;

import org.jspecify.annotations.NullMarked;
