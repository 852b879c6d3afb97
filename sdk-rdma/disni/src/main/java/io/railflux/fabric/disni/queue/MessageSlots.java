package io.railflux.fabric.disni.queue;

import com.ibm.disni.verbs.IbvMr;
import com.ibm.disni.verbs.IbvQP;
import com.ibm.disni.verbs.IbvRecvWR;
import com.ibm.disni.verbs.IbvSge;
import com.ibm.disni.verbs.SVCPostRecv;
import io.railflux.fabric.disni.memory.DisniProtectionDomain;
import io.railflux.fabric.disni.memory.MemoryRegion;
import io.railflux.fabric.disni.memory.RegisteredMemory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.LinkedList;
import java.util.List;

/**
 * Posted receives of an endpoint, prepared once, because DiSNI permits no change of a receive. A message stays in its
 * slot until the user has a receive. The control message of the endpoint is behind the slots.
 */
public final class MessageSlots {

  /** Longest message in bytes. */
  public static final int BYTES = 4096;

  public static final int COUNT = DisniSendQueue.DEPTH + Nudges.LIMIT;

  private static final int CONTROL_OFFSET = COUNT * BYTES;
  private static final int ALIGNMENT = 64;

  private final ByteBuffer memory =
      RegisteredMemory.allocate(CONTROL_OFFSET + ControlMessage.BYTES, ALIGNMENT);
  private final ByteBuffer control =
      memory.slice(CONTROL_OFFSET, ControlMessage.BYTES).order(memory.order());
  private final MemoryRegion region;
  private final SVCPostRecv[] calls = new SVCPostRecv[COUNT];
  private int posted;

  MessageSlots(DisniProtectionDomain domain, IbvQP qp, int endpoint) throws IOException {
    region = domain.register(memory, IbvMr.IBV_ACCESS_LOCAL_WRITE);
    ControlMessage.begin(control, COUNT, BYTES);
    for (int i = 0; i < COUNT; i++) {
      calls[i] = qp.postRecv(List.of(request(endpoint, i)), null);
    }
  }

  // DiSNI requires linked lists.
  @SuppressWarnings("JdkObsolete")
  private IbvRecvWR request(int endpoint, int slot) {
    IbvSge target = new IbvSge();
    target.setAddr(region.address() + offset(slot));
    target.setLength(BYTES);
    target.setLkey(region.localKey());
    IbvRecvWR request = new IbvRecvWR();
    request.setWr_id(WorkId.ofSlot(endpoint, slot));
    request.setSg_list(new LinkedList<>(List.of(target)));
    return request;
  }

  void postAll() throws IOException {
    for (int i = 0; i < COUNT; i++) {
      post(i);
    }
  }

  public void post(int slot) throws IOException {
    calls[slot].execute();
    posted++;
  }

  /** A receive completed, successfully or not. */
  public void completed() {
    posted--;
  }

  /** Whether the card has returned all receives. */
  public boolean areAllReturned() {
    return posted == 0;
  }

  public static int offset(int slot) {
    return slot * BYTES;
  }

  public ByteBuffer memory() {
    return memory;
  }

  /** Returns the control message to send, at {@link #CONTROL_OFFSET} of {@link #region}. */
  public ByteBuffer control() {
    return control;
  }

  MemoryRegion region() {
    return region;
  }

  static int controlOffset() {
    return CONTROL_OFFSET;
  }

  void free() {
    for (SVCPostRecv call : calls) {
      call.free();
    }
  }
}
