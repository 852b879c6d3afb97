package io.railflux.buffer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.reflect.Modifier;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;

/**
 * The variant for Java 22 and later. It is effective in the jar, and in tests only if the build tool puts its directory
 * first. This test loads both variants explicitly.
 */
@EnabledOnOs(value = OS.LINUX, disabledReason = "shared memory needs Linux")
@EnabledForJreRange(min = JRE.JAVA_22, disabledReason = "Java 17 has no arenas")
class MultiReleaseMappingTest {

  private static final String UNSAFE = "sun.misc.unsafe.memory.access";

  @TempDir
  Path directory;

  @Test
  void closingRemovesTheMappingAndLateAccessThrows() throws Exception {
    ByteBuffer buffer = assertClosingUnmaps("deny");

    assertFalse(isAlive(buffer));
    assertThrows(IllegalStateException.class, () -> buffer.getLong(8));
  }

  @Test
  @EnabledForJreRange(max = JRE.JAVA_25, disabledReason = "later JDKs forbid Unsafe by default")
  void accessThroughUnsafeChecksNoArena() throws Exception {
    ByteBuffer buffer = assertClosingUnmaps("allow");

    assertTrue(isAlive(buffer), "no arena guards the memory; a late access would end the process");
  }

  /** Returns memory that must not be accessed, of a variant loaded with or without Unsafe. */
  private ByteBuffer assertClosingUnmaps(String unsafe) throws Exception {
    String former = System.getProperty(UNSAFE);
    System.setProperty(UNSAFE, unsafe);
    try (URLClassLoader jar = loader(versioned(), classes(), of(Logger.class))) {
      Class<?> mapped = jar.loadClass(MappedMemory.class.getName());
      assertNotSame(MappedMemory.class, mapped);
      Path file = directory.resolve("ring");
      AutoCloseable memory = (AutoCloseable)
          mapped.getMethod("create", Path.class, int.class).invoke(null, file, 4096);
      ByteBuffer buffer = (ByteBuffer) mapped.getMethod("memory").invoke(memory);
      buffer.putLong(8, 42);
      assertEquals(42, buffer.getLong(8));
      assertEquals(1, Maps.of(file));

      memory.close();

      assertEquals(0, Maps.of(file));
      return buffer;
    } finally {
      if (former == null) {
        System.clearProperty(UNSAFE);
      } else {
        System.setProperty(UNSAFE, former);
      }
    }
  }

  /** Returns {@code MemorySegment.ofBuffer(buffer).scope().isAlive()}, which an access checks. */
  private static boolean isAlive(ByteBuffer buffer) throws ReflectiveOperationException {
    Class<?> segments = Class.forName("java.lang.foreign.MemorySegment");
    Object segment = segments.getMethod("ofBuffer", Buffer.class).invoke(null, buffer);
    Object scope = segments.getMethod("scope").invoke(segment);
    return (boolean) Class.forName("java.lang.foreign.MemorySegment$Scope")
        .getMethod("isAlive")
        .invoke(scope);
  }

  @Test
  void bothVariantsHaveTheSameShape() throws Exception {
    try (URLClassLoader jar = loader(versioned(), classes());
        URLClassLoader plain = loader(classes())) {
      String name = Mapping.class.getName();
      assertEquals(methods(plain.loadClass(name)), methods(jar.loadClass(name)));
    }
  }

  private static List<String> methods(Class<?> type) {
    return Arrays.stream(type.getDeclaredMethods())
        .filter(method -> !Modifier.isPrivate(method.getModifiers()))
        .map(Object::toString)
        .sorted()
        .toList();
  }

  private static URL classes() {
    return of(MappedMemory.class);
  }

  private static URL of(Class<?> type) {
    return type.getProtectionDomain().getCodeSource().getLocation();
  }

  private static URL versioned() throws IOException {
    Path directory = Path.of(URI.create(classes().toString())).resolve("META-INF/versions/22");
    assumeTrue(Files.isDirectory(directory), "compiled without the classes for Java 22");
    return directory.toUri().toURL();
  }

  private static URLClassLoader loader(URL... urls) {
    return new URLClassLoader(urls, ClassLoader.getPlatformClassLoader());
  }
}
