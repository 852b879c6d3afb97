package io.railflux.fabric.faults;

import io.railflux.fabric.Completion;
import io.railflux.fabric.CompletionStatus;
import io.railflux.fabric.Endpoint;
import io.railflux.fabric.FabricListener;
import io.railflux.fabric.Opcode;

/** Decorates the listener of the caller. */
final class FaultyListener implements FabricListener {

  private final FaultyFabric fabric;
  private final FabricListener listener;

  FaultyListener(FaultyFabric fabric, FabricListener listener) {
    this.fabric = fabric;
    this.listener = listener;
  }

  @Override
  public void onConnected(Endpoint endpoint, long attempt) {
    fabric.countDelivery();
    listener.onConnected(fabric.wrap(endpoint, listener), attempt);
  }

  @Override
  public void onShortage(String location, String reason) {
    listener.onShortage(location, reason);
  }

  @Override
  public void onStranger(String remoteHost, String remoteDescription, String reason) {
    listener.onStranger(remoteHost, remoteDescription, reason);
  }

  @Override
  public void onConnectFailed(long attempt, String reason) {
    fabric.countDelivery();
    listener.onConnectFailed(attempt, reason);
  }

  @Override
  public void onCompletion(Endpoint endpoint, Completion completion) {
    FaultyEndpoint wrapped = fabric.known(endpoint);
    Opcode opcode = completion.opcode();
    boolean received = opcode == Opcode.RECEIVE || opcode == Opcode.RECEIVE_IMMEDIATE;
    CompletionStatus status = received ? completion.status() : wrapped.judge(completion.status());
    wrapped.completed(new Event.Completed(
        completion.id(), opcode, status, completion.lengthBytes(), completion.immediate()));
  }

  @Override
  public void onCorrupted(Endpoint endpoint) {
    listener.onCorrupted(fabric.known(endpoint));
  }

  @Override
  public void onError(Endpoint endpoint, String reason) {
    fabric.known(endpoint).happened(new Event.Failed(reason));
  }

  @Override
  public void onDrained(Endpoint endpoint) {
    fabric.known(endpoint).happened(new Event.Drained());
  }
}
