package io.railflux.pipeline;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayDeque;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Compares a queue of longs with the queue of the JDK. */
class LongRingTest {

  /** Positive numbers are added, zero clears, and negative numbers remove. */
  @Property(tries = 300)
  void isAQueue(@ForAll List<Long> operations) {
    LongRing ring = new LongRing();
    ArrayDeque<Long> model = new ArrayDeque<>();
    for (long operation : operations) {
      if (operation > 0) {
        ring.add(operation);
        model.add(operation);
      } else if (operation == 0) {
        ring.clear();
        model.clear();
      } else {
        ring.poll();
        model.poll();
      }
      assertEquals(model.isEmpty() ? 0 : model.peek(), ring.peek());
    }
  }
}
