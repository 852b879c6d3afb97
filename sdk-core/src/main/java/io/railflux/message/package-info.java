/**
 * The vocabulary of what is sent: codecs, messages, envelopes, receipts.
 *
 * <p>A {@code Codec} declares the most bytes a value can take, so that room is claimed before it
 * is encoded. A message handed to a subscriber is owned by it.
 *
 * <p>Depends on {@code buffer} and {@code exceptions} only.
 */
package io.railflux.message;
