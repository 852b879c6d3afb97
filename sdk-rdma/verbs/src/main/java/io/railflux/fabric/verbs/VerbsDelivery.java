package io.railflux.fabric.verbs;

/** Callbacks for the next poll. */
@FunctionalInterface
interface VerbsDelivery {

  /** Performs one callback; 0 without any. */
  int deliver();
}
