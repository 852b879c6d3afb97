package io.railflux.buffer;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The direct memory of this JVM, limited by {@code -XX:MaxDirectMemorySize}. A management bean reports its use;
 * loading its classes takes a tenth of a second. {@link #load} does that; until then {@link #hasRoom} returns true.
 */
public final class DirectMemory implements MemorySource {

  /** The only instance, because the limit belongs to the JVM. */
  public static final DirectMemory OF_JVM = new DirectMemory();

  /** Between check and allocation other threads may allocate small buffers. */
  private static final long MARGIN_BYTES = 16 << 10;

  private static final long MIB = 1 << 20;

  private volatile boolean known;

  private DirectMemory() {}

  /** Loaded on first use. */
  private static final class Meter {

    static final BufferPoolMXBean IN_USE =
        ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
            .filter(pool -> pool.getName().equals("direct"))
            .findFirst()
            .orElse(null);

    static final long LIMIT_BYTES = limitBytes();

    private Meter() {}

    private static long limitBytes() {
      long limit = 0;
      try {
        HotSpotDiagnosticMXBean vm =
            ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
        limit = vm == null
            ? 0
            : Long.parseLong(vm.getVMOption("MaxDirectMemorySize").getValue());
      } catch (RuntimeException | LinkageError e) {
        // A JVM of another kind. Without the option the heap's limit applies, as on HotSpot.
      }
      return limit > 0 ? limit : Runtime.getRuntime().maxMemory();
    }

    static long inUseBytes() {
      return IN_USE == null ? 0 : IN_USE.getTotalCapacity();
    }
  }

  @Override
  public boolean hasRoom(long bytes) {
    return !known || Meter.LIMIT_BYTES - Meter.inUseBytes() - MARGIN_BYTES >= bytes;
  }

  /** Whether the limit of the JVM is known. */
  public boolean isKnown() {
    return known;
  }

  @Override
  public ByteBuffer allocate(int bytes) {
    return ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Reads the limit of the JVM, which takes long on first use. Not for the engine thread. */
  public void load() {
    known = Meter.LIMIT_BYTES > 0;
  }

  @Override
  public String usage() {
    return "direct memory " + mib(Meter.inUseBytes()) + " of " + mib(Meter.LIMIT_BYTES)
        + " is in use";
  }

  private static String mib(long bytes) {
    long tenths = (bytes * 10 + MIB / 2) / MIB;
    return tenths % 10 == 0 ? tenths / 10 + " MiB" : tenths / 10 + "." + tenths % 10 + " MiB";
  }
}
