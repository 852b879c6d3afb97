package io.railflux.fabric;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.railflux.fabric.Callback.Kind;
import io.railflux.fabric.Capabilities.Feature;
import java.io.IOException;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Common parts of the contract: a fixture per test and two connected parties. */
abstract class ContractCase {

  FabricFixture fixture;

  /** Local side. */
  Party near;

  /** Remote side. */
  Party far;

  private long lastAttempt = 100;

  abstract FabricFixture open() throws Exception;

  @BeforeEach
  void openFixture() throws Exception {
    fixture = open();
    near = new Party(fixture.local());
    far = new Party(fixture.remote());
  }

  @AfterEach
  void closeFixture() {
    fixture.close();
  }

  /** Connects the two parties once. */
  final void connect() throws IOException {
    String location = fixture.freeLocation();
    try (Fabric.Listening listening = fixture.remote().listen(location, far.callbacks)) {
      connectTo(listening.location());
    }
  }

  /** Establishes another connection, whose endpoints become those of the parties. */
  final void connectTo(String location) {
    int before = far.callbacks.of(Kind.CONNECTED).size();
    near.endpoint = connectNear(location);
    await(() -> far.callbacks.of(Kind.CONNECTED).size() > before, "accepting");
    far.endpoint = last(far.callbacks.of(Kind.CONNECTED)).endpoint();
  }

  final Endpoint connectNear(String location) {
    long attempt = ++lastAttempt;
    fixture.local().connect(location, attempt, near.callbacks);
    await(() -> answered(attempt), "an answer to connect");
    Callback answer = last(near.callbacks.all());
    assertEquals(Kind.CONNECTED, answer.kind(), answer::toString);
    return answer.endpoint();
  }

  private boolean answered(long attempt) {
    return !near.callbacks.all().isEmpty() && last(near.callbacks.all()).id() == attempt;
  }

  final void await(BooleanSupplier condition, String what) {
    assertTrue(
        fixture.await(condition),
        () -> "waited in vain for " + what + "; near " + near.callbacks.all() + "; far "
            + far.callbacks.all() + "; " + fixture);
  }

  /** Exposes new memory of the far side and returns it as both sides see it. */
  final Shared share(int length, Access access) throws RemoteAccessException {
    ExposedRegion exposed = far.endpoint.expose(length, access);
    return new Shared(exposed, near.endpoint.attach(exposed.key(), exposed.lengthBytes()));
  }

  record Shared(ExposedRegion exposed, RemoteRegion attached) {

    byte[] bytes(int offset, int length) {
      return Party.bytes(exposed.memory(), offset, length);
    }

    byte[] bytes() {
      return bytes(0, exposed.lengthBytes());
    }
  }

  final void assumeDeclared(Feature feature) {
    assumeTrue(
        fixture.local().capabilities().has(feature),
        () -> fixture.local().name() + " does not declare " + feature);
  }

  final boolean declares(Feature feature) {
    return fixture.local().capabilities().has(feature);
  }

  /** Posts a request, polling while the queue is full. */
  final void post(java.util.function.Supplier<PostResult> posting) {
    PostResult[] result = new PostResult[1];
    await(
        () -> {
          result[0] = posting.get();
          return result[0] != PostResult.QUEUE_FULL;
        },
        "space in the queue");
    assertEquals(PostResult.POSTED, result[0], () -> fixture.toString());
  }

  final void awaitRequests(int count) {
    await(() -> near.callbacks.requests().size() >= count, count + " completions");
  }

  final void awaitReceives(int count) {
    await(() -> far.callbacks.receives().size() >= count, count + " receives");
  }

  /** Waits until the near endpoint failed and drained. */
  final void awaitNearDrained() {
    await(() -> near.callbacks.drained(near.endpoint), "draining");
    assertEquals(EndpointState.DRAINED, near.endpoint.state());
  }

  static <T> T last(List<T> list) {
    return list.get(list.size() - 1);
  }
}
