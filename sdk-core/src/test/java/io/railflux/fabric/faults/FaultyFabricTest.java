package io.railflux.fabric.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.fabric.Callback;
import io.railflux.fabric.Callback.Kind;
import io.railflux.fabric.CompletionStatus;
import io.railflux.fabric.Endpoint;
import io.railflux.fabric.EndpointState;
import io.railflux.fabric.Fabric;
import io.railflux.fabric.LocalMemory;
import io.railflux.fabric.PostResult;
import io.railflux.fabric.RecordingListener;
import io.railflux.fabric.WorkRequest;
import io.railflux.fabric.sim.SimConfig;
import io.railflux.fabric.sim.SimHost;
import io.railflux.fabric.sim.SimNetwork;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FaultyFabricTest {

  private static final int SENDS = 100;

  private final SimNetwork network = new SimNetwork(1, SimConfig.rdma());
  private final SimHost nearHost = network.host("near");
  private final SimHost farHost = network.host("far");
  private final Fabric far = farHost.fabric(0, farHost.context(() -> {}));
  private final RecordingListener nearCallbacks = new RecordingListener();
  private final RecordingListener farCallbacks = new RecordingListener();
  private FaultyFabric near;
  private LocalMemory memory;
  private int wakeUps;

  @Test
  void withoutRatesNothingIsInjected() throws IOException {
    Endpoint endpoint = connect(FaultConfig.seed(5));
    assertEquals(SENDS, sendMany(endpoint));

    assertEquals(Map.of(), near.faultCounts());
    assertEquals(SENDS, nearCallbacks.requests().size());
  }

  @Test
  void fullQueuesAreSimulated() throws IOException {
    Endpoint endpoint = connect(FaultConfig.seed(5).withQueueFull(0.3));
    int posted = sendMany(endpoint);

    long refused = near.faultCounts().get("queue full");
    assertEquals(SENDS, posted + refused);
    assertTrue(refused > 10 && refused < 60, () -> refused + " of 100 at a rate of 0.3");
    assertEquals(EndpointState.READY, endpoint.state());
    assertEquals(posted, nearCallbacks.requests().size());
  }

  @Test
  void injectedErrorFailsTheEndpoint() throws IOException {
    Endpoint endpoint = connect(FaultConfig.seed(5).withCompletionErrors(0.05));
    sendMany(endpoint);

    List<Callback> requests = nearCallbacks.requests();
    long successes = count(requests, CompletionStatus.SUCCESS);
    assertEquals(1, count(requests, CompletionStatus.TRANSPORT_RETRY));
    assertEquals(CompletionStatus.TRANSPORT_RETRY, requests.get((int) successes).status());
    assertEquals(requests.size() - successes - 1, count(requests, CompletionStatus.FLUSHED));
    assertOrderly(endpoint);
    assertEquals(Map.of("completion error", 1L), near.faultCounts());
  }

  @Test
  void endpointMayDie() throws IOException {
    Endpoint endpoint = connect(FaultConfig.seed(5).withEndpointDeaths(0.05));
    sendMany(endpoint);

    assertOrderly(endpoint);
    assertEquals(Map.of("endpoint death", 1L), near.faultCounts());
    assertTrue(nearCallbacks.of(Kind.ERROR).get(0).reason().contains("seed 5"));
  }

  @Test
  void connectionsMayFail() {
    open(FaultConfig.seed(5).withConnectFailures(1));
    near.connect("far/service", 9, nearCallbacks);
    near.arm();
    assertEquals(1, wakeUps, "an unpolled rejection must keep the engine awake");
    near.poll(10);

    Callback answer = nearCallbacks.all().get(0);
    assertEquals(Kind.CONNECT_FAILED, answer.kind());
    assertEquals(9, answer.id());
  }

  @Test
  void heldCompletionsKeepTheirOrderAndAreAllReported() throws IOException {
    Endpoint endpoint = connect(FaultConfig.seed(5).withDelays(0.5, 4));
    sendMany(endpoint);
    endpoint.fence("end");
    run();

    List<Long> ids = RecordingListener.ids(nearCallbacks.requests());
    assertEquals(ids.stream().sorted().toList(), ids);
    assertEquals(SENDS, ids.size());
    assertOrderly(endpoint);
    assertTrue(near.faultCounts().get("delay") > 20);
  }

  @Test
  void equalSeedsInjectEqualFaults() {
    assertEquals(queueFullPattern(5), queueFullPattern(5));
    assertNotEquals(queueFullPattern(5), queueFullPattern(6));
  }

  @Test
  void textContainsTheSeed() {
    open(FaultConfig.seed(4711));

    assertTrue(near.toString().contains("seed 4711"), near.toString());
  }

  private static String queueFullPattern(long seed) {
    Dice dice = new Dice(FaultConfig.seed(seed).withQueueFull(0.5));
    StringBuilder pattern = new StringBuilder();
    for (int i = 0; i < 40; i++) {
      pattern.append(dice.queueFull() ? '1' : '0');
    }
    return pattern.toString();
  }

  private void open(FaultConfig config) {
    near = (FaultyFabric) new FaultyFabricProvider(nearHost.provider(0), config)
        .open(nearHost.context(() -> wakeUps++));
    memory = near.register(ByteBuffer.allocateDirect(4096));
  }

  private Endpoint connect(FaultConfig config) throws IOException {
    open(config);
    near.connect(far.listen("service", farCallbacks).location(), 1, nearCallbacks);
    run();
    Endpoint endpoint = nearCallbacks.of(Kind.CONNECTED).get(0).endpoint();
    assertNotNull(endpoint);
    return endpoint;
  }

  private int sendMany(Endpoint endpoint) {
    Endpoint farEnd = farCallbacks.of(Kind.CONNECTED).get(0).endpoint();
    LocalMemory sink = far.register(ByteBuffer.allocateDirect(64));
    WorkRequest request = new WorkRequest();
    int posted = 0;
    for (int i = 0; i < SENDS; i++) {
      farEnd.postReceive(i, sink, 0, 64);
      PostResult result = endpoint.post(request.send(memory, 0, 64).withId(i));
      posted += result == PostResult.POSTED ? 1 : 0;
    }
    run();
    return posted;
  }

  /** Polls until no event is left. */
  private void run() {
    long end = network.now() + 100_000_000;
    while (network.now() < end) {
      network.runUntil(network.now() + 100_000);
      near.poll(10);
      far.poll(10);
    }
  }

  private void assertOrderly(Endpoint endpoint) {
    List<Callback> about = nearCallbacks.about(endpoint);
    assertEquals(1, about.stream().filter(h -> h.kind() == Kind.ERROR).count());
    assertEquals(Kind.DRAINED, about.get(about.size() - 1).kind());
    assertEquals(EndpointState.DRAINED, endpoint.state());
  }

  private static long count(List<Callback> events, CompletionStatus status) {
    return events.stream().filter(h -> h.status() == status).count();
  }
}
