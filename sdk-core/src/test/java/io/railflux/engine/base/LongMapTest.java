package io.railflux.engine.base;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class LongMapTest {

  /** Few keys, so that they collide. Some share a slot for any size of the table. */
  private static long key(int choice) {
    return choice % 3 == 0 ? (long) choice << 48 | 1 : choice + 1;
  }

  @Property(tries = 500)
  void behavesLikeAHashMap(
      @ForAll @Size(max = 500) List<@IntRange(min = -90, max = 90) Integer> operations) {
    LongMap<String> map = new LongMap<>();
    Map<Long, String> model = new HashMap<>();
    for (int operation : operations) {
      long key = key(Math.abs(operation));
      if (operation < 0) {
        assertEquals(model.remove(key), map.remove(key));
      } else {
        map.put(key, "value " + model.size());
        model.put(key, "value " + model.size());
      }
      assertEquals(model.size(), map.size());
    }
    for (int choice = 0; choice <= 90; choice++) {
      assertEquals(model.get(key(choice)), map.get(key(choice)));
    }
    assertEquals(model.size(), map.values().size());
    assertEquals(new HashSet<>(model.values()), new HashSet<>(map.values()));
  }

  @Test
  void valuesAreACopy() {
    LongMap<String> map = new LongMap<>();
    map.put(1, "one");
    List<String> before = map.values();

    map.remove(1);

    assertEquals(List.of("one"), before);
    assertNull(map.get(1));
  }

  @Test
  void supportsExtremeKeys() {
    LongMap<String> map = new LongMap<>();
    map.put(Long.MIN_VALUE, "least");
    map.put(Long.MAX_VALUE, "most");
    map.put(-1, "minus one");

    assertEquals("least", map.get(Long.MIN_VALUE));
    assertEquals("most", map.remove(Long.MAX_VALUE));
    assertEquals("minus one", map.get(-1));
  }
}
