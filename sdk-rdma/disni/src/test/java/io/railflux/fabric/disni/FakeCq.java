package io.railflux.fabric.disni;

import com.ibm.disni.verbs.IbvCQ;
import com.ibm.disni.verbs.IbvCompChannel;
import com.ibm.disni.verbs.IbvContext;
import com.ibm.disni.verbs.IbvWC;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Queue;

/** A completion queue with its own channel. Guarded by the fake. */
final class FakeCq extends IbvCQ {

  private final FakeRdma rdma;
  private final int entries;
  private final Queue<IbvWC> completions = new ArrayDeque<>();
  private boolean armed;
  private int events;
  int unacknowledged;
  int queuePairs;

  FakeCq(FakeRdma rdma, IbvContext context, Channel channel, int entries) throws IOException {
    super(context, channel, 0);
    this.rdma = rdma;
    this.entries = entries;
    channel.queue = this;
  }

  /** The channel of a completion queue. */
  static final class Channel extends IbvCompChannel {

    private FakeCq queue;

    Channel(IbvContext context) throws IOException {
      super(0, context);
    }

    FakeCq queue() {
      return queue;
    }
  }

  void add(IbvWC completion) {
    if (completions.size() == entries) {
      throw new IllegalStateException("the completion queue of " + entries + " overflows");
    }
    completions.add(completion);
    if (armed) {
      armed = false;
      events++;
      rdma.notifyAll();
    }
  }

  void arm() {
    armed = true;
  }

  Boolean takeEvent() {
    if (events == 0) {
      return null;
    }
    events--;
    unacknowledged++;
    return true;
  }

  int take(IbvWC[] into, int limit) {
    int count = 0;
    while (count < limit && !completions.isEmpty()) {
      copy(completions.remove(), into[count++]);
    }
    return count;
  }

  /** A failed completion sets number and status only. Other fields keep the values of the previous one. */
  private static void copy(IbvWC from, IbvWC to) {
    to.setWr_id(from.getWr_id());
    to.setStatus(from.getStatus());
    to.setOpcode(from.getOpcode());
    if (from.getStatus() == 0) {
      to.setByte_len(from.getByte_len());
      to.setImm_data(from.getImm_data());
      to.setWc_flags(from.getWc_flags());
    }
  }

  /** Drops the completions of a destroyed queue pair. */
  void forget(FakeQueuePair pair) {
    completions.removeIf(completion -> completion.getQp_num() == pair.number());
  }
}
