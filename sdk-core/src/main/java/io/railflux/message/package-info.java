/**
 * What travels in a stream: codecs that turn values into bytes and back, envelopes with headers and
 * a time to live, receipts, and raw messages that own their memory.
 *
 * <p>A {@code Codec} declares the most bytes a value can take, so that room is claimed before it is
 * encoded.
 *
 * <p>Depends on {@code buffer} and {@code exceptions} only.
 */
package io.railflux.message;
