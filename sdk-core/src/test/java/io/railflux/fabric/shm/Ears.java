package io.railflux.fabric.shm;

import io.railflux.fabric.Completion;
import io.railflux.fabric.Endpoint;
import io.railflux.fabric.FabricListener;
import java.util.ArrayList;
import java.util.List;

/** Records the callbacks of a fabric. */
class Ears implements FabricListener {

  final List<Endpoint> connected = new ArrayList<>();
  final List<String> refused = new ArrayList<>();
  final List<String> completed = new ArrayList<>();
  final List<String> errors = new ArrayList<>();
  final List<Endpoint> drained = new ArrayList<>();

  @Override
  public void onConnected(Endpoint endpoint, long attempt) {
    connected.add(endpoint);
  }

  @Override
  public void onConnectFailed(long attempt, String reason) {
    refused.add(reason);
  }

  @Override
  public void onCompletion(Endpoint endpoint, Completion completion) {
    completed.add(completion.toString());
  }

  @Override
  public void onError(Endpoint endpoint, String reason) {
    errors.add(reason);
  }

  @Override
  public void onDrained(Endpoint endpoint) {
    drained.add(endpoint);
  }
}
