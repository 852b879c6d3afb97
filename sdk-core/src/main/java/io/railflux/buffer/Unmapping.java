package io.railflux.buffer;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Unmaps a buffer at once by {@code sun.misc.Unsafe}. Before Java 22 no other way exists; on later JVMs it is used
 * only if a JVM flag permits it. No other class uses {@code Unsafe}. Before Java 22, in a runtime without module
 * {@code jdk.unsupported}, the collector unmaps later.
 */
final class Unmapping {

  private static final Logger LOG = LoggerFactory.getLogger(Unmapping.class);
  private static final MethodHandle INVOKE_CLEANER = find();

  private Unmapping() {}

  /** Whether {@link #unmap} has an effect. */
  static boolean isPossible() {
    return INVOKE_CLEANER != null;
  }

  /** The buffer and its views must not be used afterwards. */
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
