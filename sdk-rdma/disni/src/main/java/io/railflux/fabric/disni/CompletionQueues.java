package io.railflux.fabric.disni;

import com.ibm.disni.verbs.IbvContext;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The completion queues of a fabric, of all devices it met so far. Engine thread only. */
final class CompletionQueues {

  private final Alarm alarm;
  private final List<CompletionQueue> queues = new ArrayList<>();

  CompletionQueues(Alarm alarm) {
    this.alarm = alarm;
  }

  /** A queue of that device with so many entries reserved. */
  CompletionQueue reserve(IbvContext device, int entries) throws IOException {
    for (CompletionQueue queue : queues) {
      if (queue.reserve(device, entries)) {
        return queue;
      }
    }
    CompletionQueue queue = CompletionQueue.open(device, alarm);
    queues.add(queue);
    if (!queue.reserve(device, entries)) {
      throw new IOException("no completion queue holds " + entries + " entries");
    }
    return queue;
  }

  int count() {
    return queues.size();
  }

  CompletionQueue get(int index) {
    return queues.get(index);
  }

  void arm() throws IOException {
    for (int i = 0; i < queues.size(); i++) {
      queues.get(i).arm();
    }
  }

  void close() {
    queues.forEach(CompletionQueue::close);
    queues.clear();
  }
}
