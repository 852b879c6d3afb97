package io.railflux.fabric.verbs.device;

import io.railflux.fabric.verbs.internal.Errno;
import io.railflux.fabric.verbs.internal.IbvAsyncEvent;
import io.railflux.fabric.verbs.internal.IbvContext;
import io.railflux.fabric.verbs.internal.IbvDeviceAttr;
import io.railflux.fabric.verbs.internal.LibIbverbs;
import io.railflux.fabric.verbs.internal.NativeFailure;
import io.railflux.fabric.verbs.internal.NativeScope;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * An RDMA device opened by this fabric with a context of its own, so that other users do not consume its asynchronous
 * events.
 */
public final class Device implements AutoCloseable {

  private static final int COMPLETION_ENTRIES = 8192;

  private final NativeScope scope = new NativeScope("device");
  private final String name;
  private final IbvContext context;
  private final IbvDeviceAttr attributes;
  private final long channel;
  private final Sleeper.Source asyncEvents;
  private final Sleeper.Source completionEvents;
  private final List<CompletionQueue> queues = new ArrayList<>();

  public Device(String name, long device, Sleeper sleeper) throws NativeFailure {
    this.name = name;
    try {
      long address = LibIbverbs.openDevice(device);
      scope.adopt(address, () -> LibIbverbs.closeDevice(address));
      context = new IbvContext(address);
      attributes = LibIbverbs.queryDevice(address);
      channel = LibIbverbs.createCompletionChannel(address);
      scope.adopt(channel, () -> LibIbverbs.destroyCompletionChannel(channel));
      asyncEvents = sleeper.watch(context.asyncFd());
      completionEvents = sleeper.watch(LibIbverbs.completionChannelFd(channel));
    } catch (NativeFailure e) {
      scope.close();
      throw e;
    }
  }

  public String name() {
    return name;
  }

  public IbvContext context() {
    return context;
  }

  public IbvDeviceAttr attributes() {
    return attributes;
  }

  long channel() {
    return channel;
  }

  public boolean isActive(int port) {
    try {
      return LibIbverbs.isPortActive(context.address(), port);
    } catch (NativeFailure e) {
      // The device was removed.
      return false;
    }
  }

  public List<CompletionQueue> queues() {
    return queues;
  }

  /** Returns a queue with room for {@code entries} more; creates one if all are full. */
  public CompletionQueue reserve(int entries) throws NativeFailure {
    for (CompletionQueue queue : queues) {
      if (queue.reserve(entries)) {
        return queue;
      }
    }
    int size = Math.min(attributes.maxCqe(), Math.max(entries, COMPLETION_ENTRIES));
    CompletionQueue queue = new CompletionQueue(context, size, channel);
    queues.add(queue);
    queue.reserve(entries);
    return queue;
  }

  public void arm() {
    for (int i = 0; i < queues.size(); i++) {
      queues.get(i).arm();
    }
  }

  /** Discards queued events: polling finds completions, and their events only wake the engine. */
  public void discardCompletionEvents() {
    if (completionEvents.take()) {
      drain(() -> LibIbverbs.takeCqEvent(channel));
    }
  }

  public boolean takeAsyncEvents() {
    return asyncEvents.take();
  }

  public void dispatchAsyncEvents(Consumer<IbvAsyncEvent> handler) {
    drain(() -> handler.accept(LibIbverbs.asyncEvent(context.address())));
  }

  private interface Read {
    void once() throws NativeFailure;
  }

  private static void drain(Read read) {
    try {
      while (true) {
        read.once();
      }
    } catch (NativeFailure e) {
      if (e.errno() != Errno.EAGAIN) {
        throw new IllegalStateException("cannot read events of a device", e);
      }
    }
  }

  @Override
  public void close() {
    queues.forEach(CompletionQueue::close);
    scope.close();
  }

  @Override
  public String toString() {
    return name;
  }
}
