package io.railflux.fabric.disni.events;

import com.ibm.disni.verbs.IbvCQ;
import com.ibm.disni.verbs.IbvCompChannel;
import com.ibm.disni.verbs.IbvContext;
import com.ibm.disni.verbs.IbvWC;
import com.ibm.disni.verbs.SVCPollCq;
import com.ibm.disni.verbs.SVCReqNotify;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A completion queue with its channel and the thread that waits for it. Endpoints share it within its capacity,
 * because an overflow destroys it. Each queue has its own channel, because DiSNI does not identify the queue of an
 * event.
 *
 * <p>Engine thread, except {@link #run}.
 */
public final class DisniCompletionQueue implements Runnable {

  private static final Logger LOG = LoggerFactory.getLogger(DisniCompletionQueue.class);
  private static final int ENTRIES = 1 << 14;
  private static final int BATCH = 64;

  /** Longest time that closing takes; waits of DiSNI cannot be interrupted. */
  private static final int SLEEP_MILLIS = 200;

  private final IbvContext context;
  private final Alarm alarm;
  private final IbvCompChannel channel;
  private final IbvCQ queue;
  private final IbvWC[] batch = new IbvWC[BATCH];
  private final SVCPollCq poll;
  private final SVCReqNotify request;
  private int reserved;
  private volatile boolean closing;

  private DisniCompletionQueue(IbvContext context, IbvCompChannel channel, Alarm alarm)
      throws IOException {
    this.context = context;
    this.alarm = alarm;
    this.channel = channel;
    this.queue = context.createCQ(channel, ENTRIES, 0);
    for (int i = 0; i < BATCH; i++) {
      batch[i] = new IbvWC();
    }
    this.poll = queue.poll(batch, BATCH);
    this.request = queue.reqNotification(false);
  }

  static DisniCompletionQueue open(IbvContext context, Alarm alarm) throws IOException {
    IbvCompChannel channel = context.createCompChannel();
    try {
      DisniCompletionQueue opened = new DisniCompletionQueue(context, channel, alarm);
      Daemon.start("completions", opened);
      return opened;
    } catch (IOException | RuntimeException e) {
      channel.destroyCompChannel();
      throw e;
    }
  }

  /** Reserves entries if a queue pair of the device fits. */
  boolean reserve(IbvContext device, int entries) throws IOException {
    if (context.getCmd_fd() != device.getCmd_fd() || reserved + entries > ENTRIES) {
      return false;
    }
    reserved += entries;
    return true;
  }

  public void release(int entries) {
    reserved -= entries;
  }

  public IbvCQ queue() {
    return queue;
  }

  /** Takes completions; {@link #entry} returns them until the next call. */
  public int poll() throws IOException {
    return poll.execute().getPolls();
  }

  public IbvWC entry(int index) {
    return batch[index];
  }

  /** Requests one event at the next completion. */
  void arm() throws IOException {
    request.execute();
  }

  @Override
  public void run() {
    try {
      while (!closing) {
        if (channel.getCqEvent(queue, SLEEP_MILLIS)) {
          // Unacknowledged events would delay the end of the queue.
          queue.ackEvents(1);
          alarm.ring();
        }
      }
    } catch (IOException e) {
      LOG.error("completions are no longer processed: {}", e.getMessage());
    }
    // After a failure queue pairs may still use it: it then remains until the process ends.
    if (closing) {
      destroy();
    }
  }

  /** The queue pairs are destroyed; the waiting thread releases the remainder. */
  void close() {
    closing = true;
    poll.free();
    request.free();
  }

  private void destroy() {
    try {
      queue.destroyCQ();
      channel.destroyCompChannel();
    } catch (IOException e) {
      LOG.warn("a completion queue was not released: {}", e.getMessage());
    }
  }
}
