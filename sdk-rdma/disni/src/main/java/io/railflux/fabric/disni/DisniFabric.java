package io.railflux.fabric.disni;

import com.ibm.disni.verbs.IbvWC;
import com.ibm.disni.verbs.RdmaCm;
import com.ibm.disni.verbs.RdmaCmId;
import io.railflux.fabric.Capabilities;
import io.railflux.fabric.Capabilities.Feature;
import io.railflux.fabric.Completion;
import io.railflux.fabric.Fabric;
import io.railflux.fabric.FabricContext;
import io.railflux.fabric.FabricListener;
import io.railflux.fabric.LocalMemory;
import io.railflux.fabric.base.EndpointTable;
import io.railflux.fabric.base.PollRotation;
import io.railflux.fabric.disni.events.Alarm;
import io.railflux.fabric.disni.events.CompletionQueues;
import io.railflux.fabric.disni.events.DisniCompletionQueue;
import io.railflux.fabric.disni.memory.RegisteredMemory;
import io.railflux.fabric.disni.queue.DisniQueuePair;
import io.railflux.fabric.disni.queue.DisniReceiveQueue;
import io.railflux.fabric.disni.queue.DisniSendQueue;
import io.railflux.fabric.disni.queue.MessageSlots;
import io.railflux.fabric.disni.queue.WorkId;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;

/** Reliable connections of RDMA cards through DiSNI. */
final class DisniFabric implements Fabric, DisniConnections.Host, DisniEndpoint.Owner {

  private static final int EAGER_LIMIT_BYTES = 16 * 1024;

  static final Capabilities CAPABILITIES = new Capabilities(
      Capabilities.features(
          Feature.ORDERED_PLACEMENT,
          Feature.WRITE_WITH_IMMEDIATE,
          Feature.READ,
          Feature.OFFLOADED_READS,
          Feature.SOLICITED_EVENTS,
          Feature.FENCED_REQUESTS,
          Feature.USER_MEMORY),
      MessageSlots.BYTES,
      0,
      DisniSendQueue.DEPTH,
      DisniReceiveQueue.DEPTH,
      EAGER_LIMIT_BYTES);

  private final FabricContext context;
  private final Alarm alarm;
  private final CompletionQueues queues;
  private final DisniConnections connections;
  private final EndpointTable<DisniEndpoint> table = new EndpointTable<>();
  private final PollRotation<DisniEndpoint> endpoints = new PollRotation<>(new DisniEndpoint[0]);
  private final Completion completion = new Completion();
  private boolean closed;

  DisniFabric(RdmaCm cm, FabricContext context) {
    this.context = context;
    this.alarm = new Alarm(context);
    this.queues = new CompletionQueues(alarm);
    this.connections = new DisniConnections(cm, alarm, this);
  }

  @Override
  public String name() {
    return DisniFabricProvider.NAME;
  }

  @Override
  public Capabilities capabilities() {
    return CAPABILITIES;
  }

  @Override
  public LocalMemory register(ByteBuffer memory) {
    return new RegisteredMemory(memory);
  }

  @Override
  public Listening listen(String location, FabricListener listener) throws IOException {
    if (closed) {
      throw new IOException("the fabric is closed");
    }
    return connections.listen(DisniLocation.parse(location), listener);
  }

  @Override
  public void connect(String location, long attempt, FabricListener listener) {
    if (!closed) {
      connections.connect(location, attempt, listener);
    }
  }

  @Override
  public DisniEndpoint prepare(RdmaCmId id, FabricListener listener) throws IOException {
    int number = table.nextNumber();
    String remote = DisniLocation.text((InetSocketAddress) id.getDestination());
    DisniQueuePair pair = DisniQueuePair.open(id, number, queues);
    DisniEndpoint endpoint = new DisniEndpoint(
        this, number, pair, new DisniDelivery.Target(listener, completion), remote);
    table.put(number, endpoint);
    endpoints.add(endpoint);
    return endpoint;
  }

  @Override
  public void closed(DisniEndpoint endpoint) {
    connections.ended(endpoint.identifier());
    table.remove(endpoint.number());
    endpoints.remove(endpoint);
    connections.prune();
  }

  @Override
  public long nowNanos() {
    return context.nowNanos();
  }

  @Override
  public int poll(int limit) {
    if (closed || limit <= 0) {
      return 0;
    }
    int delivered = connections.poll(limit);
    pollQueues();
    endpoints.begin();
    DisniEndpoint endpoint = next(limit - delivered);
    while (endpoint != null) {
      delivered += poll(endpoint, limit - delivered);
      endpoint = next(limit - delivered);
    }
    return delivered;
  }

  /** Returns null at the limit of a poll, after its last endpoint, and once a callback has closed the fabric. */
  private DisniEndpoint next(int room) {
    return room > 0 && !closed ? endpoints.next(room) : null;
  }

  private int poll(DisniEndpoint endpoint, int limit) {
    try {
      return endpoint.poll(limit);
    } catch (Throwable e) {
      return endpoints.closeFaulty(endpoint, e);
    }
  }

  /** Records completions; listeners receive them endpoint by endpoint. */
  private void pollQueues() {
    for (int i = 0; i < queues.count(); i++) {
      DisniCompletionQueue queue = queues.get(i);
      try {
        int count = queue.poll();
        for (int entry = 0; entry < count; entry++) {
          IbvWC work = queue.entry(entry);
          DisniEndpoint endpoint = table.get(WorkId.endpoint(work.getWr_id()));
          if (endpoint != null) {
            endpoint.onWork(work);
          }
        }
      } catch (IOException e) {
        failAll("cannot poll completions: " + e.getMessage().strip());
      }
    }
  }

  private void failAll(String reason) {
    for (DisniEndpoint endpoint : endpoints.all()) {
      endpoint.fail(reason);
    }
  }

  @Override
  public void arm() {
    if (closed) {
      return;
    }
    alarm.arm();
    try {
      queues.arm();
    } catch (IOException e) {
      failAll("cannot request events: " + e.getMessage().strip());
    }
    for (DisniEndpoint endpoint : endpoints.all()) {
      if (endpoint.owesNudge()) {
        // The peer may sleep, and no later event would cause another poll on this side.
        alarm.ring();
        return;
      }
    }
  }

  @Override
  public void disarm() {
    alarm.disarm();
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    alarm.disarm();
    connections.close();
    for (DisniEndpoint endpoint : endpoints.all()) {
      endpoint.close();
    }
    queues.close();
  }
}
