package io.railflux.fabric.verbs;

import java.util.ArrayDeque;

/** Deliveries for the next poll, in order. Each is called until it has no further callback. */
final class VerbsDeliveries {

  private final ArrayDeque<VerbsDelivery> waiting = new ArrayDeque<>();

  void add(VerbsDelivery delivery) {
    if (!waiting.contains(delivery)) {
      waiting.add(delivery);
    }
  }

  /** Performs the next callback. Returns 1 if there was one. */
  int deliverNext() {
    while (!waiting.isEmpty()) {
      if (waiting.peek().deliver() > 0) {
        return 1;
      }
      // A callback may have closed the fabric, which empties this.
      waiting.poll();
    }
    return 0;
  }

  void clear() {
    waiting.clear();
  }
}
