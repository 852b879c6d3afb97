package io.railflux.buffer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Registrations are reused while the cache has space. */
@Tag("MR5")
class RegistrationCacheTest {

  private final List<Object> gone = new ArrayList<>();
  private final RegistrationCache<Object> cache =
      new RegistrationCache<>(2, 1_000, memory -> new Object(), gone::add);

  private static ByteBuffer memory(int bytes) {
    return ByteBuffer.allocateDirect(bytes);
  }

  private Object used(ByteBuffer memory) {
    Object registration = cache.acquire(memory);
    cache.release(memory);
    return registration;
  }

  @Test
  void registersTheSameBufferOnce() {
    ByteBuffer memory = memory(100);

    assertSame(used(memory), used(memory));
    assertEquals(1, cache.size());
  }

  @Test
  void equalContentIsDifferentMemory() {
    assertNotSame(used(memory(100)), used(memory(100)));
  }

  @Test
  void evictsTheLeastRecentlyUsedRegistration() {
    ByteBuffer first = memory(10);
    ByteBuffer second = memory(10);
    Object kept = used(first);
    Object evicted = used(second);
    used(first);
    used(memory(10));

    assertEquals(List.of(evicted), gone);
    assertSame(kept, used(first));
  }

  @Test
  void boundsBytesAsWell() {
    Object first = used(memory(900));
    used(memory(200));

    assertEquals(List.of(first), gone);
  }

  @Test
  void keepsRegistrationsInUse() {
    ByteBuffer large = memory(5_000);
    Object registration = cache.acquire(large);
    cache.acquire(large);
    used(memory(10));
    assertEquals(0, gone.size(), "registrations in use do not count against the cache");
    assertEquals(10, cache.keptBytes());
    cache.release(large);
    cache.trim(0);
    assertEquals(1, cache.size());
    cache.release(large);

    assertEquals(registration, gone.get(1));
    assertEquals(0, cache.size());
    assertEquals(0, cache.keptBytes());
  }

  @Test
  void removesMemoryThatItsOwnerReleases() {
    ByteBuffer memory = memory(100);
    Object registration = used(memory);
    cache.forget(memory(100));
    assertEquals(1, cache.size());
    cache.forget(memory);

    assertEquals(List.of(registration), gone);
    assertEquals(0, cache.keptBytes());
  }

  @Test
  void removesAnUncacheableRegistrationAfterItsLastUse() {
    List<Object> closed = new ArrayList<>();
    RegistrationCache<Object> none =
        new RegistrationCache<>(0, 1_000, memory -> new Object(), closed::add);
    ByteBuffer memory = memory(0);
    Object registration = none.acquire(memory);
    none.acquire(memory);
    none.release(memory);
    assertEquals(List.of(), closed);
    none.release(memory);

    assertEquals(List.of(registration), closed);
  }

  @Test
  void closingDeregistersEverything() {
    cache.acquire(memory(10));
    used(memory(10));
    cache.close();

    assertEquals(2, gone.size());
    assertEquals(0, cache.size());
  }

  @Test
  void rejectsTheReleaseOfAnUnusedRegistration() {
    ByteBuffer memory = memory(10);
    used(memory);

    assertThrows(IllegalStateException.class, () -> cache.release(memory));
  }
}
