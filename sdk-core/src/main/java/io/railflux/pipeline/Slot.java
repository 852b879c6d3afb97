package io.railflux.pipeline;

import java.nio.ByteBuffer;

/**
 * A claimed entry of the sender's log (D2): on shared memory the mapped ring entry itself. Reused:
 * valid from {@link SlotSource#claim} until it is committed or the next claim. Engine thread only.
 */
public final class Slot {

  /** An empty slot. */
  public Slot() {}

  /** Little-endian; position and limit bound the body while a codec writes it. */
  public ByteBuffer buffer;

  /** Where the body begins in {@link #buffer}. */
  public int bodyOffset;

  /** Bytes the codec wrote. */
  public int bodyBytes;

  /** Metadata to travel before the body, or null. */
  public ByteBuffer metadata;

  /** Nanoseconds the message may still live, 0 without bound. */
  public long timeToLiveNanos;

  /**
   * A codec is writing into it, or a source and its codec are filling the frame: what they send meanwhile has to wait
   * for the next entry.
   */
  public boolean encoding;

  /** The message was not worth sending any more; nothing is to be committed for it. */
  public boolean expired;
}
