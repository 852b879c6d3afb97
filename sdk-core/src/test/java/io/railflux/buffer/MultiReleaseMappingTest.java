package io.railflux.buffer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
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

/**
 * The variant for Java 22 and later. It is in effect in the jar, and in tests only where the build
 * tool puts its directory first; here both are loaded for certain.
 */
@EnabledOnOs(value = OS.LINUX, disabledReason = "shared memory needs Linux")
@EnabledForJreRange(min = JRE.JAVA_22, disabledReason = "Java 17 has no arenas")
class MultiReleaseMappingTest {

  @TempDir
  Path directory;

  @Test
  void closingRemovesTheMappingAndLateAccessIsAnException() throws Exception {
    try (URLClassLoader jar = loader(versioned(), classes())) {
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
      assertThrows(IllegalStateException.class, () -> buffer.getLong(8));
    }
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
        .map(Object::toString)
        .sorted()
        .toList();
  }

  private static URL classes() {
    return MappedMemory.class.getProtectionDomain().getCodeSource().getLocation();
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
