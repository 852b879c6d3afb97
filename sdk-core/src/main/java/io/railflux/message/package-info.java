/**
 * What travels in a stream: codecs that turn values into bytes and back, envelopes with headers and
 * a time to live, receipts, and raw messages that own their memory.
 */
package io.railflux.message;
