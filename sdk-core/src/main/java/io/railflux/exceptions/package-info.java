/**
 * The exceptions that Railflux signals.
 *
 * <p>All of them are unchecked and extend {@link io.railflux.exceptions.RailfluxException}. Their messages name the
 * operation, the peer or address, the cause and the remedy. Streams, requests and connects signal them as errors; no
 * method of {@code Node} or {@code Peer} throws them.
 *
 * <p>Depends on no other package.
 */
@NullMarked
package io.railflux.exceptions;

import org.jspecify.annotations.NullMarked;
