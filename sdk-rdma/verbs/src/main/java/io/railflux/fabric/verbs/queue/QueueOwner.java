package io.railflux.fabric.verbs.queue;

import io.railflux.fabric.CompletionStatus;
import io.railflux.fabric.Opcode;

/** The endpoint of a send queue and a receive queue. */
public interface QueueOwner {

  /** Returns the number of the endpoint, which identifies it in {@link WorkIds}. */
  int number();

  boolean isReady();

  /** Reports a completion to the listener; 0 without a listener. */
  int report(long id, Opcode opcode, CompletionStatus status, int lengthBytes, int immediate);

  /** Puts the endpoint into error. */
  void fail(String reason);
}
