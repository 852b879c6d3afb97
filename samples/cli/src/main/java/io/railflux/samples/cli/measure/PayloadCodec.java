package io.railflux.samples.cli.measure;

import io.railflux.message.Codec;
import java.nio.ByteBuffer;

/**
 * A codec of a fixed length: the fill, with the number in its first bytes. Decoding reuses one view, so each reader
 * needs its own codec.
 */
public final class PayloadCodec implements Codec<Payload> {

  private final int sizeBytes;
  private final String name;
  private final Payload view = new Payload();

  public PayloadCodec(int sizeBytes) {
    this.sizeBytes = sizeBytes;
    this.name = "payload:" + sizeBytes;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public int maxEncodedBytes(Payload value) {
    return sizeBytes;
  }

  @Override
  public void encode(Payload value, ByteBuffer slot) {
    int start = slot.position();
    Payload.put(value.buffer(), slot, start, sizeBytes);
    slot.putLong(start, value.number());
    slot.position(start + sizeBytes);
  }

  @Override
  public Payload decode(ByteBuffer slot) {
    if (slot.remaining() != sizeBytes) {
      throw new IllegalArgumentException(
          "a message of " + slot.remaining() + " bytes arrived, expected " + sizeBytes);
    }
    view.wrap(slot, slot.position(), sizeBytes);
    return view;
  }
}
