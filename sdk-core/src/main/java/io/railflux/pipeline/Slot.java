package io.railflux.pipeline;

import java.nio.ByteBuffer;

/**
 * A claimed entry of the sender's log (D2): in shared memory the mapped entry of the ring. Reused: valid from {@link
 * SlotSource#claim} until it is committed or the next claim. Engine thread only.
 */
public final class Slot {

  /** Creates an empty slot. */
  public Slot() {}

  /** Little-endian; position and limit bound the body during encoding. */
  public ByteBuffer buffer;

  /** Start of the body in {@link #buffer}. */
  public int bodyOffset;

  /** Number of bytes that the codec wrote. */
  public int bodyBytes;

  /** Metadata before the body, or null. */
  public ByteBuffer metadata;

  /** Remaining time to live in nanoseconds, 0 without bound. */
  public long timeToLiveNanos;

  /**
   * A codec writes into the entry, or a source and its codec fill the frame; their own messages must wait for the
   * next entry.
   */
  public boolean encoding;

  /** The time to live elapsed; no message is committed. */
  public boolean expired;
}
