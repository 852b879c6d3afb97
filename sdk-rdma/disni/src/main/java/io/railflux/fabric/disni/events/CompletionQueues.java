package io.railflux.fabric.disni.events;

import com.ibm.disni.verbs.IbvContext;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Completion queues of a fabric, for all devices in use. Engine thread only. */
public final class CompletionQueues {

  private final Alarm alarm;
  private final List<DisniCompletionQueue> queues = new ArrayList<>();

  public CompletionQueues(Alarm alarm) {
    this.alarm = alarm;
  }

  /** Reserves entries in a queue of the device. */
  public DisniCompletionQueue reserve(IbvContext device, int entries) throws IOException {
    for (DisniCompletionQueue queue : queues) {
      if (queue.reserve(device, entries)) {
        return queue;
      }
    }
    DisniCompletionQueue queue = DisniCompletionQueue.open(device, alarm);
    queues.add(queue);
    if (!queue.reserve(device, entries)) {
      throw new IOException("no completion queue holds " + entries + " entries");
    }
    return queue;
  }

  public int count() {
    return queues.size();
  }

  public DisniCompletionQueue get(int index) {
    return queues.get(index);
  }

  public void arm() throws IOException {
    for (int i = 0; i < queues.size(); i++) {
      queues.get(i).arm();
    }
  }

  public void close() {
    queues.forEach(DisniCompletionQueue::close);
    queues.clear();
  }
}
