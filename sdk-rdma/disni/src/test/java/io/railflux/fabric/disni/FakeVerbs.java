package io.railflux.fabric.disni;

import com.ibm.disni.verbs.IbvCQ;
import com.ibm.disni.verbs.IbvCompChannel;
import com.ibm.disni.verbs.IbvContext;
import com.ibm.disni.verbs.IbvMr;
import com.ibm.disni.verbs.IbvPd;
import com.ibm.disni.verbs.IbvQP;
import com.ibm.disni.verbs.IbvRecvWR;
import com.ibm.disni.verbs.IbvSendWR;
import com.ibm.disni.verbs.IbvWC;
import com.ibm.disni.verbs.RdmaVerbs;
import com.ibm.disni.verbs.SVCDeregMr;
import com.ibm.disni.verbs.SVCPollCq;
import com.ibm.disni.verbs.SVCPostRecv;
import com.ibm.disni.verbs.SVCPostSend;
import com.ibm.disni.verbs.SVCRegMr;
import com.ibm.disni.verbs.SVCReqNotify;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/** The verbs of the fake. */
final class FakeVerbs extends RdmaVerbs {

  private final FakeRdma rdma;

  /** Makes every registration fail, as with too much locked memory. */
  volatile boolean lockedMemoryExhausted;

  FakeVerbs(FakeRdma rdma) {
    this.rdma = rdma;
  }

  @Override
  public IbvPd allocPd(IbvContext context) throws IOException {
    synchronized (rdma) {
      rdma.born("protection domain");
      return new FakePd(context);
    }
  }

  @Override
  public int deallocPd(IbvPd pd) {
    synchronized (rdma) {
      if (!pd.isOpen() || ((FakePd) pd).isInUse()) {
        throw new IllegalStateException("protection domain released twice or while in use");
      }
      pd.close();
      rdma.died("protection domain");
      return 0;
    }
  }

  @Override
  public IbvCompChannel createCompChannel(IbvContext context) throws IOException {
    synchronized (rdma) {
      rdma.born("completion channel");
      return new FakeCq.Channel(context);
    }
  }

  @Override
  public int destroyCompChannel(IbvCompChannel channel) {
    synchronized (rdma) {
      if (!channel.isOpen() || ((FakeCq.Channel) channel).queue().isOpen()) {
        throw new IllegalStateException("completion channel released twice or while in use");
      }
      channel.close();
      rdma.died("completion channel");
      return 0;
    }
  }

  @Override
  public IbvCQ createCQ(IbvContext context, IbvCompChannel channel, int entries, int vector)
      throws IOException {
    synchronized (rdma) {
      rdma.born("completion queue");
      return new FakeCq(rdma, context, (FakeCq.Channel) channel, entries);
    }
  }

  @Override
  public int destroyCQ(IbvCQ queue) {
    synchronized (rdma) {
      FakeCq destroyed = (FakeCq) queue;
      boolean inUse = destroyed.queuePairs != 0 || destroyed.unacknowledged != 0;
      if (!queue.isOpen() || inUse) {
        throw new IllegalStateException("completion queue released twice or while in use");
      }
      queue.close();
      rdma.died("completion queue");
      return 0;
    }
  }

  @Override
  public boolean getCqEvent(IbvCompChannel channel, IbvCQ queue, int timeout) throws IOException {
    return rdma.await(timeout, ((FakeCq.Channel) channel).queue()::takeEvent) != null;
  }

  @Override
  public int ackCqEvents(IbvCQ queue, int events) {
    synchronized (rdma) {
      ((FakeCq) queue).unacknowledged -= events;
      return 0;
    }
  }

  @Override
  public SVCRegMr regMr(IbvPd pd, ByteBuffer buffer, int access) {
    return new Registering((FakePd) pd, buffer, access);
  }

  @Override
  public SVCRegMr regMr(IbvPd pd, long address, int length, int access) {
    throw new UnsupportedOperationException("the fake supports buffers, not addresses");
  }

  @Override
  public int queryOdpSupport(IbvContext context) {
    return -1;
  }

  @Override
  public int expPrefetchMr(IbvMr region, long address, int length) {
    return -1;
  }

  @Override
  public SVCDeregMr deregMr(IbvMr region) {
    return new Deregistering((FakeMr) region);
  }

  @Override
  public SVCPostSend postSend(IbvQP pair, List<IbvSendWR> requests, List<IbvSendWR> bad) {
    return new FakeSend((FakeQueuePair) pair, requests.get(0));
  }

  @Override
  public SVCPostRecv postRecv(IbvQP pair, List<IbvRecvWR> receives, List<IbvRecvWR> bad) {
    return new FakeReceive((FakeQueuePair) pair, receives.get(0));
  }

  @Override
  public SVCPollCq pollCQ(IbvCQ queue, IbvWC[] into, int limit) {
    return new Polling((FakeCq) queue, into, limit);
  }

  @Override
  public SVCReqNotify reqNotifyCQ(IbvCQ queue, boolean solicitedOnly) {
    return new Arming((FakeCq) queue);
  }

  private final class Registering extends SVCRegMr {

    private final FakePd pd;
    private final ByteBuffer buffer;
    private final int access;
    private FakeMr region;

    Registering(FakePd pd, ByteBuffer buffer, int access) {
      this.pd = pd;
      this.buffer = buffer;
      this.access = access;
    }

    @Override
    public SVCRegMr execute() throws IOException {
      synchronized (rdma) {
        if (lockedMemoryExhausted) {
          throw new IOException("j2c::regMr: ibv_reg_mr failed: Cannot allocate memory\n");
        }
        long address = rdma.nextAddress(buffer.capacity());
        region = new FakeMr(pd, buffer.duplicate().clear(), address, access, rdma.nextKey());
        pd.add(region);
        rdma.born("memory region");
        return this;
      }
    }

    @Override
    public IbvMr getMr() {
      return region;
    }

    @Override
    public boolean isValid() {
      return true;
    }

    @Override
    public SVCRegMr free() {
      return this;
    }
  }

  private final class Deregistering extends SVCDeregMr {

    private final FakeMr region;

    Deregistering(FakeMr region) {
      this.region = region;
    }

    @Override
    public SVCDeregMr execute() {
      synchronized (rdma) {
        if (!region.isOpen()) {
          throw new IllegalStateException("memory deregistered twice");
        }
        region.close();
        region.pd().remove(region);
        rdma.died("memory region");
        return this;
      }
    }

    @Override
    public boolean isValid() {
      return true;
    }

    @Override
    public SVCDeregMr free() {
      return this;
    }
  }

  private final class Polling extends SVCPollCq {

    private final FakeCq queue;
    private final IbvWC[] into;
    private final int limit;
    private int count;

    Polling(FakeCq queue, IbvWC[] into, int limit) {
      this.queue = queue;
      this.into = into;
      this.limit = limit;
    }

    @Override
    public SVCPollCq execute() {
      synchronized (rdma) {
        count = queue.take(into, limit);
        return this;
      }
    }

    @Override
    public int getPolls() {
      return count;
    }

    @Override
    public boolean isValid() {
      return true;
    }

    @Override
    public SVCPollCq free() {
      return this;
    }
  }

  private final class Arming extends SVCReqNotify {

    private final FakeCq queue;

    Arming(FakeCq queue) {
      this.queue = queue;
    }

    @Override
    public SVCReqNotify execute() {
      synchronized (rdma) {
        queue.arm();
        return this;
      }
    }

    @Override
    public boolean isValid() {
      return true;
    }

    @Override
    public SVCReqNotify free() {
      return this;
    }
  }
}
