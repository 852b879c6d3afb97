package io.railflux.samples.bench.growth;

import io.netty.buffer.UnpooledByteBufAllocator;
import io.railflux.samples.cli.shell.Pause;
import io.railflux.samples.cli.shell.ProcessFigures;
import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The memory of a process in bytes.
 * @param heap in use after a collection
 * @param direct allocated by the JDK and by Netty
 * @param mapped shared with peers
 * @param resident part of all memory that is in RAM
 */
record MemoryFigures(long heap, long direct, long mapped, long resident) {

  static final MemoryFigures NONE = new MemoryFigures(0, 0, 0, 0);

  private static final int COLLECTIONS = 3;
  private static final long CLEANING_NANOS = 50_000_000;
  private static final int RADIX = 16;

  static MemoryFigures now() {
    for (int i = 0; i < COLLECTIONS; i++) {
      System.gc();
      // Cleaners release direct memory asynchronously.
      Pause.of(Duration.ofNanos(CLEANING_NANOS));
    }
    return new MemoryFigures(
        ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed(),
        directBytes(),
        mappedBytes(),
        ProcessFigures.rssBytes());
  }

  MemoryFigures plus(MemoryFigures other) {
    return new MemoryFigures(
        heap + other.heap, direct + other.direct, mapped + other.mapped, resident + other.resident);
  }

  private static long directBytes() {
    long jdk = ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
        .filter(pool -> pool.getName().equals("direct"))
        .mapToLong(BufferPoolMXBean::getMemoryUsed)
        .sum();
    return jdk + UnpooledByteBufAllocator.DEFAULT.metric().usedDirectMemory();
  }

  /** Counted by inode; 0 if the kernel does not provide it. */
  private static long mappedBytes() {
    Map<String, Long> files = new HashMap<>();
    try (Stream<String> maps = Files.lines(Path.of("/proc/self/maps"))) {
      maps.filter(line -> line.contains("/dev/shm/railflux-")).forEach(line -> {
        List<String> fields = List.of(line.split("\\s+", -1));
        files.merge(fields.get(4), lengthBytes(fields.get(0)), Math::max);
      });
    } catch (IOException e) {
      return 0;
    }
    return files.values().stream().mapToLong(Long::longValue).sum();
  }

  private static long lengthBytes(String range) {
    int dash = range.indexOf('-');
    return Long.parseLong(range.substring(dash + 1), RADIX)
        - Long.parseLong(range.substring(0, dash), RADIX);
  }
}
