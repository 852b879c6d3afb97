package io.railflux.engine.path;

import io.railflux.exceptions.FabricUnavailableException;
import io.railflux.fabric.Access;
import io.railflux.fabric.Endpoint;
import io.railflux.fabric.ExposedRegion;
import io.railflux.fabric.RemoteAccessException;
import io.railflux.fabric.RemoteRegion;
import io.railflux.wire.FrameHeader;
import io.railflux.wire.Region;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Fabric memory for large messages, smaller if the fabric has less. */
public final class ExposedWindow {

  private static final Logger LOG = LoggerFactory.getLogger(ExposedWindow.class);

  private ExposedWindow() {}

  /**
   * Exposes memory. A full {@code /dev/shm} slows large messages down, but fails none.
   *
   * @param onShortage receives the reason if even {@code minBytes} are not available
   * @return null on shortage, or if the endpoint failed
   */
  private static ExposedRegion expose(
      Endpoint endpoint,
      int maxBytes,
      int minBytes,
      Access access,
      Consumer<FabricUnavailableException> onShortage) {
    for (int bytes = maxBytes; ; bytes /= 2) {
      try {
        return endpoint.expose(bytes, access);
      } catch (FabricUnavailableException e) {
        // Half of the size may fit.
        if (bytes / 2 < minBytes) {
          onShortage.accept(e);
          return null;
        }
      } catch (IllegalStateException e) {
        return null;
      }
    }
  }

  /**
   * Fabric memory in which portions of large messages land if the fabric cannot expose memory of this node. It is
   * exposed once per subchannel, and its slices are reused. It fits into the processor's cache, and is smaller if
   * the fabric has less. Engine thread only.
   */
  public static final class Landing {

    static final int SLICES = 8;

    /** Divisor of the requested size at which repeated halving stops. */
    private static final int MIN_PART = 64;

    private final Endpoint endpoint;
    private final int maxBytes;
    private ExposedRegion region;
    private int free;
    // Later attempts fail for the same reason.
    private boolean shortageLogged;

    Landing(Endpoint endpoint, int maxBytes) {
      this.endpoint = endpoint;
      this.maxBytes = maxBytes;
    }

    /** Exposes the memory if necessary; returns whether it is available. */
    public boolean open() {
      if (region == null) {
        int least = Math.max(SLICES * FrameHeader.SLOT_BYTES, maxBytes / MIN_PART);
        region = expose(endpoint, maxBytes, least, Access.REMOTE_WRITE, this::lacksMemory);
        free = (1 << SLICES) - 1;
      }
      return region != null;
    }

    private void lacksMemory(FabricUnavailableException shortage) {
      if (!shortageLogged) {
        shortageLogged = true;
        LOG.warn(
            "large messages from {} wait for memory to land in: {}",
            endpoint.remoteDescription(),
            shortage.getMessage());
      }
    }

    /** Returns a free slice, or -1. */
    public int take() {
      int slice = Integer.numberOfTrailingZeros(free);
      if (slice >= SLICES) {
        return -1;
      }
      free &= ~(1 << slice);
      return slice;
    }

    public void give(int slice) {
      free |= 1 << slice;
    }

    public int sliceBytes() {
      return region.lengthBytes() / SLICES;
    }

    public ExposedRegion region() {
      return region;
    }
  }

  /**
   * Memory of a mapped subchannel in which large messages are encoded. The peer reads them in place without a copy.
   * The first message exposes the memory. Messages reuse it from its beginning, so that the touched part stays in
   * the processor's cache. A message without room here is copied. Engine thread only.
   */
  public static final class Source {

    private static final int PAGE_BYTES = 4096;

    /** Range of one message, from its claim until the peer releases it. */
    public final class Place {
      private final int offset;
      private final int lengthBytes;

      private Place(int offset, int lengthBytes) {
        this.offset = offset;
        this.lengthBytes = lengthBytes;
      }

      private int end() {
        return offset + lengthBytes;
      }

      public int offset() {
        return offset;
      }

      public ByteBuffer memory() {
        return region.memory();
      }

      public ExposedRegion region() {
        return region;
      }

      public Subchannel subchannel() {
        return subchannel;
      }

      public void give() {
        places.remove(this);
      }
    }

    private final Subchannel subchannel;
    private final int maxBytes;
    // Ordered by offset.
    private final List<Place> places = new ArrayList<>();
    private ExposedRegion region;
    private boolean refused;

    Source(Subchannel subchannel, int maxBytes) {
      this.subchannel = subchannel;
      this.maxBytes = maxBytes;
    }

    /** Whether {@code bytes} fit into the empty window; opens the window. */
    public boolean fits(int bytes) {
      return bytes <= maxBytes && isOpen() && bytes <= region.lengthBytes();
    }

    /** Returns a place for a message that {@link #fits}; null if other messages take the room. */
    public Place take(int bytes) {
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
        int least = Math.max(PAGE_BYTES, maxBytes / 4);
        region = expose(subchannel.endpoint, maxBytes, least, Access.REMOTE_READ, e -> {});
        refused = region == null;
      }
      return region != null;
    }

    /** Whether the peer may still read a message here. */
    public boolean isInUse() {
      return !places.isEmpty();
    }
  }

  /**
   * The peer's {@link Source} as mapped by this process, for messages that are read in place. Only one is mapped at
   * a time, whatever the peer names, because a mapping costs address space. Engine thread only.
   */
  public static final class Mapped {

    private final Endpoint endpoint;
    private RemoteRegion region;
    private int views;

    Mapped(Endpoint endpoint) {
      this.endpoint = endpoint;
    }

    /**
     * Returns the window's memory until {@link #leave}.
     *
     * @return null if the region does not exist, or if another one is in use
     */
    public ByteBuffer look(Region wanted) {
      if (region == null
          || region.key() != wanted.key()
          || region.lengthBytes() != wanted.bytes()) {
        if (views > 0) {
          return null;
        }
        attach(wanted);
      }
      if (region == null) {
        return null;
      }
      views++;
      return region.mapped();
    }

    private void attach(Region wanted) {
      if (region != null) {
        region.close();
        region = null;
      }
      try {
        region = endpoint.attach(wanted.key(), wanted.bytes());
      } catch (RemoteAccessException e) {
        // The message has to be written instead.
      }
    }

    public void leave() {
      views--;
    }

    /** Whether a message is still read in place. */
    public boolean isInUse() {
      return views > 0;
    }
  }
}
