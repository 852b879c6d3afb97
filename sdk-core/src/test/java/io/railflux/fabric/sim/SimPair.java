package io.railflux.fabric.sim;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.fabric.Access;
import io.railflux.fabric.Completion;
import io.railflux.fabric.CompletionStatus;
import io.railflux.fabric.Endpoint;
import io.railflux.fabric.ExposedRegion;
import io.railflux.fabric.Fabric;
import io.railflux.fabric.FabricListener;
import io.railflux.fabric.LocalMemory;
import io.railflux.fabric.PostResult;
import io.railflux.fabric.RemoteAccessException;
import io.railflux.fabric.RemoteRegion;
import io.railflux.fabric.WorkRequest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/** Two hosts with one connection, and a region of the second host that the first one may access. */
final class SimPair {

  static final int MEMORY_BYTES = 1 << 17;

  final SimNetwork network;
  final SimHost nearHost;
  final SimHost farHost;
  final Side near;
  final Side far;
  ExposedRegion exposed;
  RemoteRegion attached;

  SimPair(long seed, SimConfig config) {
    network = new SimNetwork(seed, config);
    nearHost = network.host("near");
    farHost = network.host("far");
    near = new Side(nearHost);
    far = new Side(farHost);
    connect();
    share();
  }

  private void connect() {
    try (Fabric.Listening listening = far.fabric.listen("service", far)) {
      near.fabric.connect(listening.location(), 1, near);
      runFor(1_000_000);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    assertTrue(near.endpoint != null && far.endpoint != null, () -> network + " did not connect");
  }

  private void share() {
    try {
      exposed = far.endpoint.expose(MEMORY_BYTES, Access.REMOTE_ALL);
      attached = near.endpoint.attach(exposed.key(), exposed.lengthBytes());
    } catch (RemoteAccessException e) {
      throw new AssertionError(e);
    }
  }

  SimLink link() {
    return network.link(nearHost, farHost, 0);
  }

  /** Runs events for a time, polling both sides after each event. */
  void runFor(long nanos) {
    long end = network.now() + nanos;
    while (network.nextEventAt() <= end) {
      network.step();
      poll();
    }
    network.runUntil(end);
    poll();
  }

  private void poll() {
    near.fabric.poll(1000);
    far.fabric.poll(1000);
  }

  PostResult write(long id, int length, int toOffset) {
    return near.endpoint.post(
        new WorkRequest().write(near.memory, 0, length, attached, toOffset).withId(id));
  }

  PostResult send(long id, int length) {
    return near.endpoint.post(new WorkRequest().send(near.memory, 0, length).withId(id));
  }

  ByteBuffer target() {
    return exposed.memory();
  }

  /** A process: its opened resources, and its callbacks as short texts. */
  static final class Side implements FabricListener {

    final SimFabric fabric;
    final LocalMemory memory;
    final List<String> callbacks = new ArrayList<>();
    Endpoint endpoint;
    Runnable onNextCompletion = () -> {};
    int wakeUps;

    Side(SimHost host) {
      fabric = host.fabric(0, host.context(() -> wakeUps++));
      memory =
          fabric.register(ByteBuffer.allocateDirect(MEMORY_BYTES).order(ByteOrder.LITTLE_ENDIAN));
    }

    Side fill(int length, int value) {
      for (int i = 0; i < length; i++) {
        memory.memory().put(i, (byte) value);
      }
      return this;
    }

    boolean callbacks(String what) {
      return callbacks.contains(what);
    }

    boolean callbacks(long id, CompletionStatus status) {
      return callbacks.contains(id + " " + status);
    }

    @Override
    public void onConnected(Endpoint connected, long attempt) {
      endpoint = connected;
    }

    @Override
    public void onConnectFailed(long attempt, String reason) {
      callbacks.add("refused: " + reason);
    }

    @Override
    public void onCompletion(Endpoint about, Completion completion) {
      callbacks.add(completion.id() + " " + completion.status());
      onNextCompletion.run();
    }

    @Override
    public void onError(Endpoint about, String reason) {
      callbacks.add("error: " + reason);
    }

    @Override
    public void onDrained(Endpoint about) {
      callbacks.add("drained");
    }
  }
}
