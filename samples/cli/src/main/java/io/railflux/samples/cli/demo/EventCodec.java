package io.railflux.samples.cli.demo;

import io.railflux.message.Codec;
import java.nio.ByteBuffer;

/** Encodes kind, number and time, followed by the payload up to the end of the message. */
final class EventCodec implements Codec<Event> {

  private static final int HEAD_BYTES = Byte.BYTES + 2 * Long.BYTES;

  @Override
  public String name() {
    return "demo-event:1";
  }

  @Override
  public int maxEncodedBytes(Event event) {
    return HEAD_BYTES + event.payload().length;
  }

  @Override
  public void encode(Event event, ByteBuffer slot) {
    slot.put(event.kind().code);
    slot.putLong(event.number());
    slot.putLong(event.sentNanos());
    slot.put(event.payload());
  }

  @Override
  public Event decode(ByteBuffer slot) {
    if (slot.remaining() < HEAD_BYTES) {
      throw new IllegalArgumentException("an event of " + slot.remaining() + " bytes arrived");
    }
    Event.Kind kind = Event.Kind.of(slot.get());
    long number = slot.getLong();
    long sentNanos = slot.getLong();
    byte[] payload = new byte[slot.remaining()];
    slot.get(payload);
    return new Event(kind, number, sentNanos, payload);
  }
}
