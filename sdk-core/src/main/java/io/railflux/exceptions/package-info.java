/**
 * Every failure a user can meet. All of them are unchecked and extend {@link
 * io.railflux.exceptions.RailfluxException}; their messages name what failed, where, and what to
 * do.
 *
 * <p>Depends on nothing.
 */
package io.railflux.exceptions;
