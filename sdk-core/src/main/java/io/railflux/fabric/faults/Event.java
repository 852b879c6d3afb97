package io.railflux.fabric.faults;

import io.railflux.fabric.Completion;
import io.railflux.fabric.CompletionStatus;
import io.railflux.fabric.FabricListener;
import io.railflux.fabric.Opcode;

/** An event for the listener of an endpoint. */
sealed interface Event {

  void deliver(FaultyEndpoint endpoint, FabricListener listener, Completion scratch);

  record Completed(long id, Opcode opcode, CompletionStatus status, int lengthBytes, int immediate)
      implements Event {

    @Override
    public void deliver(FaultyEndpoint endpoint, FabricListener listener, Completion scratch) {
      listener.onCompletion(endpoint, scratch.set(id, opcode, status, lengthBytes, immediate));
    }
  }

  record Failed(String reason) implements Event {

    @Override
    public void deliver(FaultyEndpoint endpoint, FabricListener listener, Completion scratch) {
      listener.onError(endpoint, reason);
    }
  }

  record Drained() implements Event {

    @Override
    public void deliver(FaultyEndpoint endpoint, FabricListener listener, Completion scratch) {
      endpoint.drained();
      listener.onDrained(endpoint);
    }
  }
}
