package io.railflux.fabric.base;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class EndpointTableTest {

  private final EndpointTable<String> table = new EndpointTable<>();

  private int add() {
    int number = table.nextNumber();
    table.put(number, "endpoint " + number);
    return number;
  }

  @Test
  void findsWhatItHolds() {
    Set<Integer> numbers = new HashSet<>();
    for (int i = 0; i < 1_000; i++) {
      numbers.add(add());
    }

    assertEquals(1_000, numbers.size());
    assertEquals(1_000, table.all().size());
    numbers.forEach(number -> assertEquals("endpoint " + number, table.get(number)));
  }

  @Test
  void aNumberIsNotUsedAgain() {
    int first = add();
    table.remove(first);
    Set<Integer> later = new HashSet<>();
    for (int i = 0; i < 100; i++) {
      int number = add();
      later.add(number);
      table.remove(number);
    }

    assertEquals(100, later.size());
    assertEquals(false, later.contains(first));
    assertNull(table.get(first));
  }

  @Test
  void numbersWithAnOccupiedPlaceAreSkipped() {
    int kept = add();
    List<Integer> others = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      int number = add();
      others.add(number);
      table.remove(number);
    }

    assertEquals("endpoint " + kept, table.get(kept));
    assertEquals(false, others.contains(kept + 16));
    assertEquals(List.of("endpoint " + kept), table.all());
  }

  @Test
  void anotherNumberAtTheSamePlaceIsNotFound() {
    int number = add();

    assertNull(table.get(number + 16));
    table.remove(number + 16);
    assertEquals("endpoint " + number, table.get(number));
  }
}
