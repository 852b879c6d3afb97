package io.railflux.fabric.faults;

import io.railflux.fabric.Access;
import io.railflux.fabric.Completion;
import io.railflux.fabric.CompletionStatus;
import io.railflux.fabric.Endpoint;
import io.railflux.fabric.EndpointState;
import io.railflux.fabric.ExposedRegion;
import io.railflux.fabric.FabricListener;
import io.railflux.fabric.LocalMemory;
import io.railflux.fabric.PostResult;
import io.railflux.fabric.Protection;
import io.railflux.fabric.RemoteAccessException;
import io.railflux.fabric.RemoteRegion;
import io.railflux.fabric.WorkRequest;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** An endpoint with seeded faults. */
final class FaultyEndpoint implements Endpoint {

  private record Held(Event event, long duePoll) {}

  private final FaultyFabric fabric;
  private final Endpoint sound;
  private final FabricListener listener;
  private final Dice dice;
  private final Completion scratch = new Completion();

  /** Ordered: a delayed event delays all later ones. */
  private final ArrayDeque<Held> held = new ArrayDeque<>();

  private boolean failing;
  private boolean drained;
  private boolean closed;

  FaultyEndpoint(FaultyFabric fabric, Endpoint sound, FabricListener listener, Dice dice) {
    this.fabric = fabric;
    this.sound = sound;
    this.listener = listener;
    this.dice = dice;
  }

  @Override
  public long id() {
    return sound.id();
  }

  /** Drained only after the listener was notified, which may be later than in the decorated endpoint. */
  @Override
  public EndpointState state() {
    EndpointState state = sound.state();
    return state == EndpointState.DRAINED && !drained ? EndpointState.DRAINING : state;
  }

  @Override
  public boolean peerGone() {
    return sound.peerGone();
  }

  @Override
  public String remoteDescription() {
    return sound.remoteDescription();
  }

  @Override
  public String remoteHost() {
    return sound.remoteHost();
  }

  @Override
  public @Nullable String shortage() {
    return sound.shortage();
  }

  @Override
  public Protection protection() {
    return sound.protection();
  }

  @Override
  public boolean isChecksummed() {
    return sound.isChecksummed();
  }

  @Override
  public ExposedRegion expose(int lengthBytes, Access access) {
    return sound.expose(lengthBytes, access);
  }

  @Override
  public ExposedRegion expose(ByteBuffer memory, Access access) {
    return sound.expose(memory, access);
  }

  @Override
  public RemoteRegion attach(long key, int lengthBytes) throws RemoteAccessException {
    return sound.attach(key, lengthBytes);
  }

  @Override
  public PostResult post(WorkRequest request) {
    if (sound.state() == EndpointState.READY && dice.queueFull()) {
      return PostResult.QUEUE_FULL;
    }
    PostResult result = sound.post(request);
    if (result == PostResult.POSTED && dice.endpointDeath()) {
      sound.fence("injected endpoint death, " + dice);
    }
    return result;
  }

  @Override
  public PostResult postReceive(long id, LocalMemory memory, int offset, int lengthBytes) {
    return sound.postReceive(id, memory, offset, lengthBytes);
  }

  @Override
  public void notifyPeer() {
    sound.notifyPeer();
  }

  @Override
  public void moreFollows() {
    sound.moreFollows();
  }

  @Override
  public void fence(String reason) {
    sound.fence(reason);
  }

  @Override
  public void close() {
    closed = true;
    held.clear();
    fabric.forget(sound);
    sound.close();
  }

  /** Returns the status to report for a request that ended with {@code status}. */
  CompletionStatus judge(CompletionStatus status) {
    if (status != CompletionStatus.SUCCESS) {
      return status;
    }
    if (failing) {
      return CompletionStatus.FLUSHED;
    }
    if (sound.state() == EndpointState.READY && dice.completionError()) {
      failing = true;
      sound.fence("injected completion error, " + dice);
      return CompletionStatus.TRANSPORT_RETRY;
    }
    return status;
  }

  void completed(Event.Completed event) {
    int delay = dice.delay();
    if (delay > 0) {
      held.add(new Held(event, fabric.polls() + delay));
    } else {
      happened(event);
    }
  }

  /** Reports the event now, or after the delayed ones. */
  void happened(Event event) {
    if (held.isEmpty()) {
      deliver(event);
    } else {
      held.add(new Held(event, fabric.polls()));
    }
  }

  boolean isHolding() {
    return !held.isEmpty();
  }

  /** Reports at most {@code limit} due events. */
  void release(int limit) {
    int delivered = 0;
    while (delivered < limit && !held.isEmpty() && held.peek().duePoll() <= fabric.polls()) {
      deliver(held.poll().event());
      delivered++;
    }
  }

  private void deliver(Event event) {
    if (!closed) {
      fabric.countDelivery();
      event.deliver(this, listener, scratch);
    }
  }

  void drained() {
    drained = true;
  }

  @Override
  public String toString() {
    return "FaultyEndpoint(" + dice + ") over " + sound;
  }
}
