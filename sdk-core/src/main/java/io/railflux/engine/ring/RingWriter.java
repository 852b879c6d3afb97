package io.railflux.engine.ring;

import io.railflux.fabric.LocalMemory;
import io.railflux.fabric.RemoteRegion;
import java.nio.ByteBuffer;

/** Writes frames into a peer's ring and sends credit and acknowledgements. Engine thread only. */
public interface RingWriter {

  /** Returns the ring's memory if entries can be encoded in place, null if they go through a log. */
  ByteBuffer mapped();

  /** Returns the same memory for encoders, which move position and limit; null without it. */
  ByteBuffer view();

  OutgoingRing ring();

  /** Size of the ring in bytes. Any thread. */
  int capacityBytes();

  /** Bytes that the peer has not consumed. Any thread, possibly with a slightly old value. */
  int occupiedBytes();

  /** Whether an entry of {@code slotBytes} fits now and leaves {@code reserveBytes} of the ring free. */
  boolean isReady(int slotBytes, int reserveBytes);

  /**
   * Whether the bytes in flight reach the bound for waiting control frames (D12): messages wait, control frames
   * proceed.
   */
  boolean isCongested();

  /** Returns the bytes for entries before the wrap that leave {@code reserveBytes} free. */
  int contiguousRoom(int reserveBytes);

  /** Returns the offset of the next entry of that size in {@link #mapped()}; writes the required padding. */
  int place(int slotBytes);

  /**
   * Publishes the frame at {@code memory[offset]}, which is complete except for its publish word. Frames become
   * visible to the peer in this order, at the latest with {@link #flush}.
   */
  void publish(ByteBuffer memory, int offset, long word);

  /** Publishes a frame without content. */
  void publishLinkFrame(int type);

  /**
   * Updates the positions in a frame that carries older ones and has not left yet; returns whether such a frame
   * exists.
   *
   * @param ackPsn a sequence number, as in frames
   */
  default boolean renewPositions(long creditPosition, long ackPsn) {
    return false;
  }

  /**
   * Sends absolute positions to the peer; later positions replace earlier ones. Returns false if the caller has to
   * repeat the call.
   *
   * @param ackPsn counted from the first sequence number, as in the words
   */
  boolean report(long creditPosition, long ackPsn);

  /** As {@link #report}, with the proof of the positions; see {@link io.railflux.wire.ControlWords}. */
  boolean reportSealed(long creditPosition, long ackPsn, long number, long low, long high);

  /** Passes all requests to the fabric. Returns whether the peer has new frames to read. */
  boolean flush();

  /**
   * Continues in another ring of the peer. The last published frame is a RING_SWITCH, after which the peer reads that
   * ring. Posted requests may still use the former memory, see {@link #hasCompleted}.
   *
   * @param ring the other ring, which is zeroed
   * @param source memory of the size of the ring from which sealed frames are posted; null for plain frames
   */
  void continueIn(RemoteRegion ring, LocalMemory source);

  /**
   * Posts frames from another log, which contains all frames in flight. Gathered frames leave from the former log
   * first.
   */
  void postFrom(LocalMemory log);

  /** Returns the number of posted requests. */
  long posted();

  /** Whether the requests up to a number of {@link #posted} have completed and no longer use their memory. */
  boolean hasCompleted(long request);

  /** Handles a completion of this endpoint's own requests. */
  void completed(long id);
}
