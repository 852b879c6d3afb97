package io.railflux.buffer;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Unmaps a buffer at once by {@code sun.misc.Unsafe}: before Java 22 nothing else can, and since then it is done
 * where the JVM was told to allow it. The one place that names it. Where the runtime lacks module {@code
 * jdk.unsupported} the collector unmaps later before Java 22.
 */
final class Unmapping {

  private static final Logger LOG = LoggerFactory.getLogger(Unmapping.class);
  private static final MethodHandle INVOKE_CLEANER = find();

  private Unmapping() {}

  /** Whether {@link #unmap} does anything. */
  static boolean isPossible() {
    return INVOKE_CLEANER != null;
  }

  /** The buffer and all views of it must never be touched again. */
  static void unmap(ByteBuffer mapped) {
    if (INVOKE_CLEANER == null) {
      return;
    }
    try {
      INVOKE_CLEANER.invokeExact(mapped);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  private static MethodHandle find() {
    try {
      Class<?> unsafe = Class.forName("sun.misc.Unsafe");
      Field instance = unsafe.getDeclaredField("theUnsafe");
      instance.setAccessible(true);
      Unmapping.class.getModule().addReads(unsafe.getModule());
      return MethodHandles.lookup()
          .findVirtual(unsafe, "invokeCleaner", MethodType.methodType(void.class, ByteBuffer.class))
          .bindTo(instance.get(null));
    } catch (ReflectiveOperationException e) {
      LOG.warn(
          "before Java 22 closed shared memory stays mapped until it is collected; add module"
              + " jdk.unsupported to the runtime image",
          e);
      return null;
    }
  }
}
