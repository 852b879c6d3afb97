package io.railflux.fabric.disni;

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
 * A completion queue with its channel and the thread that sleeps at it. Shared by as many endpoints as
 * it has room for: one that overflows is lost. A channel each, as DiSNI does not tell whose event it
 * was.
 *
 * <p>Engine thread, but for {@link #run}.
 */
final class CompletionQueue implements Runnable {

  private static final Logger LOG = LoggerFactory.getLogger(CompletionQueue.class);
  private static final int ENTRIES = 1 << 14;
  private static final int BATCH = 64;

  /** How long closing takes at most; DiSNI's wait cannot be interrupted. */
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

  private CompletionQueue(IbvContext context, IbvCompChannel channel, Alarm alarm)
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

  static CompletionQueue open(IbvContext context, Alarm alarm) throws IOException {
    IbvCompChannel channel = context.createCompChannel();
    try {
      CompletionQueue opened = new CompletionQueue(context, channel, alarm);
      Daemon.start("completions", opened);
      return opened;
    } catch (IOException | RuntimeException e) {
      channel.destroyCompChannel();
      throw e;
    }
  }

  /** Whether a queue pair of that device fits; then its entries are taken. */
  boolean reserve(IbvContext device, int entries) throws IOException {
    if (context.getCmd_fd() != device.getCmd_fd() || reserved + entries > ENTRIES) {
      return false;
    }
    reserved += entries;
    return true;
  }

  void release(int entries) {
    reserved -= entries;
  }

  IbvCQ queue() {
    return queue;
  }

  /** Takes some completions; read them by {@link #entry} before the next call. */
  int poll() throws IOException {
    return poll.execute().getPolls();
  }

  IbvWC entry(int index) {
    return batch[index];
  }

  /** Asks for one event at the next completion. */
  void arm() throws IOException {
    request.execute();
  }

  @Override
  public void run() {
    try {
      while (!closing) {
        if (channel.getCqEvent(queue, SLEEP_MILLIS)) {
          // Unacknowledged events would hold up the end of the queue.
          queue.ackEvents(1);
          alarm.ring();
        }
      }
    } catch (IOException e) {
      LOG.error("completions are no longer told: {}", e.getMessage());
    }
    // After a failure queue pairs may still use it: then it is left to the process's end.
    if (closing) {
      destroy();
    }
  }

  /** Its queue pairs are gone. The rest is up to the sleeping thread. */
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
