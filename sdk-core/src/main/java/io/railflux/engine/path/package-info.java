/**
 * Paths to a peer: subchannels, their large transfers, the policies that stripe messages, and the context of a session.
 *
 * <p>Uses {@code base}, {@code seal} and {@code ring}.
 */
package io.railflux.engine.path;
