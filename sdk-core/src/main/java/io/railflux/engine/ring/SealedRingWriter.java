package io.railflux.engine.ring;

import io.railflux.crypto.WordProof;
import io.railflux.engine.seal.SealedFrames;
import io.railflux.engine.seal.Sealing;
import io.railflux.fabric.LocalMemory;
import io.railflux.fabric.RemoteRegion;
import io.railflux.wire.FrameHeader;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Writes a peer's ring with frames sealed at their publication. Plain frames stay in their memory until they are
 * acknowledged. Sealed frames lie in memory of the ring's size, at their offsets in the ring: consumption by the
 * peer frees that memory as well. Engine thread only.
 */
public final class SealedRingWriter implements RingWriter {

  /** The tag may need one more slot. */
  private static final int MORE_BYTES = FrameHeader.SLOT_BYTES;

  private final RingWriter inner;
  private ByteBuffer staged;
  private final SealedFrames.Sealer sealer;
  private final WordProof proof;
  private final ByteBuffer linkFrame =
      ByteBuffer.allocate(FrameHeader.BYTES).order(ByteOrder.LITTLE_ENDIAN);
  private long tellings;

  /** @param staged memory of the ring's size, from which {@code inner} posts, if it posts */
  public SealedRingWriter(RingWriter inner, ByteBuffer staged, Sealing sealing) {
    this.inner = inner;
    this.staged = staged;
    this.sealer = sealing.frameSealer();
    this.proof = sealing.wordSealer();
  }

  @Override
  public ByteBuffer mapped() {
    return null;
  }

  @Override
  public ByteBuffer view() {
    return null;
  }

  @Override
  public OutgoingRing ring() {
    return inner.ring();
  }

  @Override
  public int capacityBytes() {
    return inner.capacityBytes();
  }

  @Override
  public int occupiedBytes() {
    return inner.occupiedBytes();
  }

  @Override
  public boolean isReady(int slotBytes, int reserveBytes) {
    return inner.isReady(slotBytes + MORE_BYTES, reserveBytes);
  }

  @Override
  public boolean isCongested() {
    return inner.isCongested();
  }

  @Override
  public int contiguousRoom(int reserveBytes) {
    return inner.contiguousRoom(reserveBytes) - MORE_BYTES;
  }

  @Override
  public int place(int slotBytes) {
    return inner.place(slotBytes);
  }

  @Override
  public void publish(ByteBuffer memory, int offset, long word) {
    long sealedWord = SealedFrames.Sealer.sealedWord(word);
    int at = inner.place(FrameHeader.slotBytes(FrameHeader.lengthBytes(sealedWord)));
    sealer.seal(memory, offset, word, staged, at);
    inner.publish(staged, at, sealedWord);
  }

  @Override
  public void publishLinkFrame(int type) {
    FrameHeader.put(linkFrame, 0, 0, 0, 0);
    publish(linkFrame, 0, FrameHeader.word(FrameHeader.BYTES, type, 0, FrameHeader.BYTES));
  }

  @Override
  public boolean report(long creditPosition, long ackPsn) {
    long number = tellings + 1;
    proof.compute(creditPosition, ackPsn, number);
    if (!inner.reportSealed(creditPosition, ackPsn, number, proof.low(), proof.high())) {
      return false;
    }
    tellings = number;
    return true;
  }

  @Override
  public boolean reportSealed(long creditPosition, long ackPsn, long number, long low, long high) {
    return inner.reportSealed(creditPosition, ackPsn, number, low, high);
  }

  @Override
  public boolean flush() {
    return inner.flush();
  }

  @Override
  public void continueIn(RemoteRegion newRing, LocalMemory source) {
    staged = source.memory();
    inner.continueIn(newRing, source);
  }

  @Override
  public void postFrom(LocalMemory log) {
    // Frames are sealed into the staging memory, whatever memory they lie in.
  }

  @Override
  public long posted() {
    return inner.posted();
  }

  @Override
  public boolean hasCompleted(long request) {
    return inner.hasCompleted(request);
  }

  @Override
  public void completed(long id) {
    inner.completed(id);
  }
}
