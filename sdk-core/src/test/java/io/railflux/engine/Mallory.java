package io.railflux.engine;

import io.railflux.fabric.Completion;
import io.railflux.fabric.Endpoint;
import io.railflux.fabric.FabricListener;
import io.railflux.fabric.LocalMemory;
import io.railflux.fabric.Opcode;
import io.railflux.fabric.WorkRequest;
import io.railflux.fabric.sim.SimFabric;
import io.railflux.fabric.sim.SimHost;
import io.railflux.fabric.sim.SimNetwork;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/**
 * An attacker between two engines. Connections to it are relayed to the victim. It records the messages of both sides
 * and can change or drop them.
 */
public final class Mallory implements FabricListener {

  static final String LOCATION = "mallory/service";

  private static final long POLL_NANOS = 1_000;
  private static final int MESSAGE_BYTES = 8 << 10;
  private static final int MAX_MESSAGES = 8;

  private final SimNetwork network;
  private final SimHost host;
  private final SimFabric fabric;
  private final String victim;
  private final Map<Long, End> ends = new TreeMap<>();
  private final Map<Long, End> dialed = new TreeMap<>();
  private long attempts;

  /** Messages of the connecting and the accepting side, in order. */
  final List<byte[]> fromConnector = new ArrayList<>();

  final List<byte[]> fromAcceptor = new ArrayList<>();

  /** Changes a message. A null result drops it. */
  UnaryOperator<byte[]> toAcceptor = message -> message;

  UnaryOperator<byte[]> toConnector = message -> message;

  static final byte[] SILENCE = {};

  /** Sent to each connector instead of dialing the victim. Null dials the victim. */
  byte[] answerOfItsOwn;

  /** One end of a relayed connection, or of a connection to the victim only. */
  public final class End {

    public final List<byte[]> received = new ArrayList<>();
    public String failure;
    private final LocalMemory memory =
        fabric.register(ByteBuffer.allocateDirect(2 * MESSAGE_BYTES));
    private final Deque<byte[]> unsent = new ArrayDeque<>();
    private Endpoint endpoint;
    private End other;
    private boolean toVictim;

    private void connected(Endpoint newEndpoint) {
      endpoint = newEndpoint;
      ends.put(endpoint.id(), this);
      for (int i = 0; i < MAX_MESSAGES; i++) {
        endpoint.postReceive(i, memory, 0, MESSAGE_BYTES);
      }
      while (!unsent.isEmpty()) {
        say(unsent.poll());
      }
    }

    public void say(byte[] message) {
      if (endpoint == null) {
        unsent.add(message);
        return;
      }
      memory.memory().put(MESSAGE_BYTES, message);
      endpoint.post(
          new WorkRequest().send(memory, MESSAGE_BYTES, message.length).withId(99));
      endpoint.notifyPeer();
    }

    private void receive(byte[] message) {
      received.add(message);
      if (other == null) {
        return;
      }
      (toVictim ? fromAcceptor : fromConnector).add(message);
      byte[] passedOn = (toVictim ? toConnector : toAcceptor).apply(message.clone());
      if (passedOn != null) {
        other.say(passedOn);
      }
    }

    void hangUp() {
      failure = "closed by the relay";
      endpoint.close();
    }
  }

  /**
   * @param victim the location of the impersonated node
   */
  public Mallory(SimNetwork network, String victim) {
    this.network = network;
    this.victim = victim;
    this.host = network.host("mallory");
    this.fabric = host.fabric(0, host.context(() -> {}));
    try {
      fabric.listen("service", this);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    poll();
  }

  private void poll() {
    fabric.poll(64);
    host.schedule(POLL_NANOS, this::poll);
  }

  /** Opens a separate connection to the victim. */
  public End dial() {
    return dial(victim);
  }

  public End dial(String location) {
    End end = new End();
    end.toVictim = true;
    dialed.put(++attempts, end);
    fabric.connect(location, attempts, this);
    return end;
  }

  /** Returns the open connections of either side. */
  List<End> open() {
    return ends.values().stream().filter(end -> end.failure == null).toList();
  }

  @Override
  public void onConnected(Endpoint endpoint, long attempt) {
    if (attempt >= 0) {
      dialed.get(attempt).connected(endpoint);
      return;
    }
    End end = new End();
    if (answerOfItsOwn == null) {
      end.other = dial();
      end.other.other = end;
    }
    end.connected(endpoint);
    if (answerOfItsOwn != null && answerOfItsOwn != SILENCE) {
      end.say(answerOfItsOwn);
    }
  }

  @Override
  public void onConnectFailed(long attempt, String reason) {
    dialed.get(attempt).failure = reason;
  }

  @Override
  public void onCompletion(Endpoint endpoint, Completion completion) {
    if (completion.succeeded() && completion.opcode() == Opcode.RECEIVE) {
      End end = ends.get(endpoint.id());
      byte[] message = new byte[completion.lengthBytes()];
      end.memory.memory().get(0, message);
      end.receive(message);
    }
  }

  @Override
  public void onError(Endpoint endpoint, String reason) {
    End end = ends.get(endpoint.id());
    end.failure = reason;
    if (end.other != null && end.other.endpoint != null) {
      end.other.hangUp();
    }
  }

  @Override
  public void onDrained(Endpoint endpoint) {
    // No action remains.
  }

  SimNetwork network() {
    return network;
  }
}
