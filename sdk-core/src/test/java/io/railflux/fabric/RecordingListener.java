package io.railflux.fabric;

import io.railflux.fabric.Heard.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Records every callback in order. */
public final class RecordingListener implements FabricListener {

  private final List<Heard> heard = new ArrayList<>();

  @Override
  public void onConnected(Endpoint endpoint, long attempt) {
    heard.add(Heard.connection(Kind.CONNECTED, endpoint, attempt, ""));
  }

  @Override
  public void onConnectFailed(long attempt, String reason) {
    heard.add(Heard.connection(Kind.CONNECT_FAILED, null, attempt, reason));
  }

  @Override
  public void onCompletion(Endpoint endpoint, Completion completion) {
    heard.add(Heard.completion(endpoint, completion));
  }

  @Override
  public void onError(Endpoint endpoint, String reason) {
    heard.add(Heard.connection(Kind.ERROR, endpoint, 0, reason));
  }

  @Override
  public void onDrained(Endpoint endpoint) {
    heard.add(Heard.connection(Kind.DRAINED, endpoint, 0, ""));
  }

  public List<Heard> all() {
    return heard;
  }

  public int count() {
    return heard.size();
  }

  public List<Heard> of(Kind kind) {
    return matching(h -> h.kind() == kind);
  }

  /** Returns the completions of requests of the sending side. */
  public List<Heard> requests() {
    return matching(h -> h.kind() == Kind.COMPLETION && !h.isReceive());
  }

  public List<Heard> receives() {
    return matching(h -> h.kind() == Kind.COMPLETION && h.isReceive());
  }

  /** Returns the callbacks of one endpoint. */
  public List<Heard> about(Endpoint endpoint) {
    return matching(h -> h.endpoint() == endpoint);
  }

  public boolean drained(Endpoint endpoint) {
    return heard.stream().anyMatch(h -> h.kind() == Kind.DRAINED && h.endpoint() == endpoint);
  }

  private List<Heard> matching(Predicate<Heard> condition) {
    return heard.stream().filter(condition).toList();
  }

  public static List<Long> ids(List<Heard> events) {
    return events.stream().map(Heard::id).toList();
  }
}
