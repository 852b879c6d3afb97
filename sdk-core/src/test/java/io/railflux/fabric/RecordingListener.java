package io.railflux.fabric;

import io.railflux.fabric.Callback.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Records every callback in order. */
public final class RecordingListener implements FabricListener {

  private final List<Callback> callbacks = new ArrayList<>();

  @Override
  public void onConnected(Endpoint endpoint, long attempt) {
    callbacks.add(Callback.connection(Kind.CONNECTED, endpoint, attempt, ""));
  }

  @Override
  public void onConnectFailed(long attempt, String reason) {
    callbacks.add(Callback.connection(Kind.CONNECT_FAILED, null, attempt, reason));
  }

  @Override
  public void onCompletion(Endpoint endpoint, Completion completion) {
    callbacks.add(Callback.completion(endpoint, completion));
  }

  @Override
  public void onError(Endpoint endpoint, String reason) {
    callbacks.add(Callback.connection(Kind.ERROR, endpoint, 0, reason));
  }

  @Override
  public void onDrained(Endpoint endpoint) {
    callbacks.add(Callback.connection(Kind.DRAINED, endpoint, 0, ""));
  }

  public List<Callback> all() {
    return callbacks;
  }

  public int count() {
    return callbacks.size();
  }

  public List<Callback> of(Kind kind) {
    return matching(h -> h.kind() == kind);
  }

  /** Returns the completions of requests of the sending side. */
  public List<Callback> requests() {
    return matching(h -> h.kind() == Kind.COMPLETION && !h.isReceive());
  }

  public List<Callback> receives() {
    return matching(h -> h.kind() == Kind.COMPLETION && h.isReceive());
  }

  /** Returns the callbacks of one endpoint. */
  public List<Callback> about(Endpoint endpoint) {
    return matching(h -> h.endpoint() == endpoint);
  }

  public boolean drained(Endpoint endpoint) {
    return callbacks.stream().anyMatch(h -> h.kind() == Kind.DRAINED && h.endpoint() == endpoint);
  }

  private List<Callback> matching(Predicate<Callback> condition) {
    return callbacks.stream().filter(condition).toList();
  }

  public static List<Long> ids(List<Callback> events) {
    return events.stream().map(Callback::id).toList();
  }
}
