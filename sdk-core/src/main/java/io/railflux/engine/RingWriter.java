package io.railflux.engine;

import java.nio.ByteBuffer;

/** Puts frames into a peer's ring and tells it credit and acknowledgements. Engine thread only. */
interface RingWriter {

  /** The ring's memory where entries can be encoded in place, null where they go through a log. */
  ByteBuffer mapped();

  /** The same memory for encoders, which move position and limit; null where that is. */
  ByteBuffer view();

  OutgoingRing ring();

  /** Bytes of the ring; any thread. */
  int capacityBytes();

  /** Bytes the peer has not consumed; any thread, which may see a slightly old value. */
  int occupiedBytes();

  /** Room for an entry of that many slot bytes now, leaving {@code reserveBytes} of the ring free. */
  boolean isReady(int slotBytes, int reserveBytes);

  /**
   * Whether as much is under way as a control frame should have to wait for (D12): messages wait, control
   * frames go.
   */
  boolean isCongested();

  /** What entries that leave {@code reserveBytes} free may take before the ring wraps. */
  int contiguousRoom(int reserveBytes);

  /** Where the next entry of that size begins in {@link #mapped()}; writes the padding it needs. */
  int place(int slotBytes);

  /**
   * Publishes the frame complete at {@code memory[offset]} but for its publish word. Frames become
   * visible to the peer in this order, at the latest with {@link #flush}.
   */
  void publish(ByteBuffer memory, int offset, long word);

  /** Publishes a frame without content. */
  void publishLinkFrame(int type);

  /**
   * Puts positions into a frame that tells older ones anyway and has not left yet; returns whether there
   * is one.
   *
   * @param ackPsn a sequence number, as in frames
   */
  default boolean renewPositions(long creditPosition, long ackPsn) {
    return false;
  }

  /**
   * Tells the peer absolute positions; later ones win. Returns false to be asked again.
   *
   * @param ackPsn counted from the first sequence number, as in the words
   */
  boolean tell(long creditPosition, long ackPsn);

  /** As {@link #tell}, with what proves it; see {@link io.railflux.wire.ControlWords}. */
  boolean tellSealed(long creditPosition, long ackPsn, long number, long low, long high);

  /** Hands everything to the fabric. Returns whether the peer has something new to read. */
  boolean flush();

  /** Takes a completion of this endpoint's own requests. */
  void completed(long id);
}
