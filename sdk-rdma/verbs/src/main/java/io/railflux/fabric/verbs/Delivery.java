package io.railflux.fabric.verbs;

/** Something for a listener to hear from the next poll. */
@FunctionalInterface
interface Delivery {

  /** Tells one thing; 1 if it did, 0 when there was nothing (more) to tell. */
  int deliver();
}
