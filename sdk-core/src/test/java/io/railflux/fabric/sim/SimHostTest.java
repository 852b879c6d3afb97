package io.railflux.fabric.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.exceptions.FabricUnavailableException;
import io.railflux.fabric.Access;
import io.railflux.fabric.Capabilities.Feature;
import io.railflux.fabric.EndpointState;
import io.railflux.fabric.FabricProvider;
import java.util.List;
import org.junit.jupiter.api.Test;

class SimHostTest {

  private static final long MILLI = 1_000_000;

  /** A network that loses messages, between hosts that report the death of each other's processes. */
  private static final SimConfig REPORTING =
      SimConfig.of(Feature.ORDERED_PLACEMENT, Feature.PEER_DEATH_REPORTED);

  @Test
  void killedProcessReceivesNothing() {
    SimPair pair = new SimPair(1, SimConfig.rdma());
    pair.send(1, 64);
    pair.near.fabric.arm();
    pair.nearHost.kill();
    pair.runFor(100 * MILLI);

    assertEquals(List.of(), pair.near.callbacks);
    assertEquals(0, pair.near.wakeUps);
    assertEquals(EndpointState.CLOSED, pair.near.endpoint.state());
  }

  @Test
  void deathIsNotReportedWithoutTheCapability() {
    SimPair pair = new SimPair(1, SimConfig.rdma());
    pair.nearHost.kill();
    pair.runFor(1000 * MILLI);

    assertEquals(List.of(), pair.far.callbacks);
    assertEquals(EndpointState.READY, pair.far.endpoint.state());
  }

  @Test
  void deathIsReportedWithTheCapability() {
    SimPair pair = new SimPair(1, SimConfig.mapped());
    pair.nearHost.kill();
    pair.runFor(MILLI);

    assertEquals(List.of("error: peer process ended", "drained"), pair.far.callbacks);
    assertTrue(pair.far.endpoint.peerGone());
  }

  @Test
  void partitionIsNotReportedAsADeath() {
    SimPair pair = new SimPair(1, REPORTING);
    pair.link().down();
    pair.send(1, 64);
    pair.runFor(1000 * MILLI);

    assertTrue(pair.near.callbacks("1 TRANSPORT_RETRY"), () -> pair.near.callbacks.toString());
    assertFalse(pair.near.endpoint.peerGone());
    assertFalse(pair.far.endpoint.peerGone());
  }

  /** The report of a death between hosts does not use the network. */
  @Test
  void deathBehindAPartitionIsReported() {
    SimPair pair = new SimPair(1, REPORTING);
    pair.link().down();
    pair.nearHost.restart();
    pair.runFor(MILLI);

    assertTrue(pair.far.endpoint.peerGone());
  }

  @Test
  void connectorLearnsTheDeathOfAnAcceptorThatAnswered() throws Exception {
    SimPair pair = new SimPair(1, SimConfig.mapped());
    pair.far.fabric.listen("service", pair.far);
    pair.near.fabric.connect("far/service", 2, pair.near);
    while (pair.far.fabric.ready() == 0) {
      assertTrue(pair.network.step());
    }
    pair.farHost.kill();
    pair.runFor(MILLI);

    assertEquals(
        2,
        pair.near.callbacks.stream().filter("error: peer process ended"::equals).count());
  }

  @Test
  void newProcessCanUseTheSameLocation() throws Exception {
    SimPair pair = new SimPair(1, SimConfig.rdma());
    pair.farHost.restart();
    SimPair.Side reborn = new SimPair.Side(pair.farHost);
    reborn.fabric.listen("service", reborn);
    pair.near.fabric.connect("far/service", 2, pair.near);
    pair.runFor(MILLI);
    reborn.fabric.poll(10);

    assertTrue(reborn.endpoint != null && reborn.endpoint.state() == EndpointState.READY);
    assertEquals("far (life 2) far/service", pair.near.endpoint.remoteDescription());
  }

  @Test
  void writesToAnEndedProcessDoNotReachItsSuccessor() throws Exception {
    SimPair pair = new SimPair(1, SimConfig.rdma());
    pair.write(1, 4096, 0);
    pair.farHost.restart();
    new SimPair.Side(pair.farHost);
    pair.runFor(100 * MILLI);

    assertTrue(pair.near.callbacks("1 TRANSPORT_RETRY"), () -> pair.near.callbacks.toString());
  }

  @Test
  void limitedMemoryCanBeExhausted() {
    SimPair pair = new SimPair(1, SimConfig.rdma());
    pair.nearHost.memoryLimit(10_000);
    var region = pair.near.endpoint.expose(8000, Access.REMOTE_ALL);

    assertThrows(
        FabricUnavailableException.class, () -> pair.near.endpoint.expose(8000, Access.REMOTE_ALL));
    region.close();
    pair.near.endpoint.expose(8000, Access.REMOTE_ALL).close();
  }

  @Test
  void providerOfADeadProcessReportsTheDeath() {
    SimNetwork network = new SimNetwork(1);
    SimHost host = network.host("a");
    FabricProvider provider = host.provider(0);
    assertEquals("sim", provider.name());
    assertTrue(provider.availability().available());

    host.kill();
    assertFalse(provider.availability().available());
    assertThrows(FabricUnavailableException.class, () -> provider.open(host.context(() -> {})));
  }
}
