package io.railflux.fabric.verbs;

import java.util.ArrayDeque;

/** What waits for the next poll, in order. Each entry is asked until it has nothing more to tell. */
final class Deliveries {

  private final ArrayDeque<Delivery> waiting = new ArrayDeque<>();

  void add(Delivery delivery) {
    if (!waiting.contains(delivery)) {
      waiting.add(delivery);
    }
  }

  /** Tells the next thing. Returns 1 if there was one. */
  int deliverNext() {
    while (!waiting.isEmpty()) {
      if (waiting.peek().deliver() > 0) {
        return 1;
      }
      // A callback may have closed the fabric, and emptied this.
      waiting.poll();
    }
    return 0;
  }

  void clear() {
    waiting.clear();
  }
}
