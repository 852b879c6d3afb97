package io.railflux.engine;

import io.railflux.fabric.Access;
import io.railflux.fabric.Endpoint;
import io.railflux.fabric.ExposedRegion;
import io.railflux.wire.FrameHeader;

/**
 * Memory of the fabric's own in which portions of large messages land where the fabric cannot expose this
 * node's memory: exposed once per subchannel, its slices used again and again. It is small, so that it
 * stays in the processor's cache, and smaller where that is all there is. Engine thread only.
 */
final class LandingWindow {

  static final int SLICES = 8;

  /** What is left of the wanted size after some halving. */
  private static final int LEAST_PART = 64;

  private final Endpoint endpoint;
  private final int mostBytes;
  private ExposedRegion region;
  private int free;

  LandingWindow(Endpoint endpoint, int mostBytes) {
    this.endpoint = endpoint;
    this.mostBytes = mostBytes;
  }

  /** Exposes memory unless it is there; returns whether it is. */
  boolean open() {
    if (region == null) {
      int least = Math.max(SLICES * FrameHeader.SLOT_BYTES, mostBytes / LEAST_PART);
      region = ExposedWindow.expose(endpoint, mostBytes, least, Access.REMOTE_WRITE);
      free = (1 << SLICES) - 1;
    }
    return region != null;
  }

  /** A free slice, or -1. */
  int take() {
    int slice = Integer.numberOfTrailingZeros(free);
    if (slice >= SLICES) {
      return -1;
    }
    free &= ~(1 << slice);
    return slice;
  }

  void give(int slice) {
    free |= 1 << slice;
  }

  int sliceBytes() {
    return region.lengthBytes() / SLICES;
  }

  ExposedRegion region() {
    return region;
  }
}
