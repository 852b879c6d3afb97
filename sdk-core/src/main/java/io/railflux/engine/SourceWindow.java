package io.railflux.engine;

import io.railflux.fabric.Access;
import io.railflux.fabric.ExposedRegion;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Memory of a mapped subchannel in which large messages are encoded and the peer looks at them where they
 * lie: nobody copies them. It is exposed when the first one comes, and used again and again from its
 * beginning, so that little of it is touched and that stays in the processor's cache. A message that finds
 * no room here is copied ({@link GrantedWrite}). Engine thread only.
 */
final class SourceWindow {

  private static final int PAGE_BYTES = 4096;

  /** What one message takes, from its claim until the peer is done with it. */
  final class Place {
    private final int offset;
    private final int lengthBytes;

    private Place(int offset, int lengthBytes) {
      this.offset = offset;
      this.lengthBytes = lengthBytes;
    }

    private int end() {
      return offset + lengthBytes;
    }

    int offset() {
      return offset;
    }

    ByteBuffer memory() {
      return region.memory();
    }

    ExposedRegion region() {
      return region;
    }

    Subchannel subchannel() {
      return subchannel;
    }

    void give() {
      places.remove(this);
    }
  }

  private final Subchannel subchannel;
  private final int mostBytes;
  // In the order of their offsets.
  private final List<Place> places = new ArrayList<>();
  private ExposedRegion region;
  private boolean refused;

  SourceWindow(Subchannel subchannel, int mostBytes) {
    this.subchannel = subchannel;
    this.mostBytes = mostBytes;
  }

  /** Whether there is room for so many bytes when nothing else is there; opens the window. */
  boolean fits(int bytes) {
    return bytes <= mostBytes && isOpen() && bytes <= region.lengthBytes();
  }

  /** Room for a message of at most so many bytes, which {@link #fits}; null when others take it. */
  Place take(int bytes) {
    int aligned = (bytes + PAGE_BYTES - 1) & -PAGE_BYTES;
    int offset = 0;
    int next = 0;
    while (next < places.size() && places.get(next).offset - offset < aligned) {
      offset = places.get(next).end();
      next++;
    }
    if (aligned > region.lengthBytes() - offset) {
      return null;
    }
    Place place = new Place(offset, aligned);
    places.add(next, place);
    return place;
  }

  private boolean isOpen() {
    if (region == null && !refused) {
      int least = Math.max(PAGE_BYTES, mostBytes / 4);
      region = ExposedWindow.expose(subchannel.endpoint, mostBytes, least, Access.REMOTE_READ);
      refused = region == null;
    }
    return region != null;
  }

  /** Whether a message lies here that the peer may still look at. */
  boolean isInUse() {
    return !places.isEmpty();
  }
}
