package io.railflux.fabric.verbs.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class NativeScopeTest {

  @Test
  void releasesInReverseOrderBeforeTheMemoryIsFreed() {
    List<String> released = new ArrayList<>();
    NativeScope scope = new NativeScope("test");
    MemorySegment memory = scope.allocate(8, 8);
    scope.adopt("first", () -> released.add("first " + memory.scope().isAlive()));
    scope.adopt("second", () -> released.add("second " + memory.scope().isAlive()));
    scope.close();
    scope.close();

    assertEquals(List.of("second true", "first true"), released);
    assertThrows(IllegalStateException.class, () -> memory.fill((byte) 1));
  }

  @Test
  void listsOpenObjects() {
    NativeScope one = new NativeScope("test");
    NativeScope two = new NativeScope("test");
    assertEquals(Map.of("test", 2), NativeScope.open());
    one.close();
    assertEquals(Map.of("test", 1), NativeScope.open());
    two.close();
    assertEquals(Map.of(), NativeScope.open());
  }
}
