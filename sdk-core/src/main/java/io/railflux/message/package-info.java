/**
 * Content of streams: codecs, envelopes with headers and a time to live, receipts, and raw messages that own their
 * memory.
 *
 * <p>A {@code Codec} states an upper bound of the encoded size, so that the engine claims room before encoding. A
 * {@code GrowingCodec} writes to a stream instead.
 *
 * <p>Depends on {@code message.layout}, {@code buffer} and {@code exceptions} only.
 */
@NullMarked
package io.railflux.message;

import org.jspecify.annotations.NullMarked;
