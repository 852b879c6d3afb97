package io.railflux.fabric.disni;

import com.ibm.disni.verbs.IbvRecvWR;
import com.ibm.disni.verbs.IbvSge;
import com.ibm.disni.verbs.SVCPostRecv;
import java.io.IOException;

/** A prepared receive, which is immutable. */
final class FakeReceive extends SVCPostRecv implements SVCPostRecv.RecvWRMod {

  private final FakeQueuePair pair;
  private final long id;
  private final IbvSge memory;

  FakeReceive(FakeQueuePair pair, IbvRecvWR request) {
    this.pair = pair;
    this.id = request.getWr_id();
    this.memory = request.getSg_list().get(0);
  }

  long address() {
    return memory.getAddr();
  }

  int length() {
    return memory.getLength();
  }

  int localKey() {
    return memory.getLkey();
  }

  @Override
  public SVCPostRecv execute() throws IOException {
    pair.postReceive(this);
    return this;
  }

  @Override
  public boolean isValid() {
    return true;
  }

  @Override
  public SVCPostRecv free() {
    return this;
  }

  @Override
  public RecvWRMod getWrMod(int index) {
    return this;
  }

  @Override
  public long getWr_id() {
    return id;
  }
}
