package io.railflux.fabric.disni.queue;

import com.ibm.disni.verbs.IbvQP;
import com.ibm.disni.verbs.IbvSendWR;
import com.ibm.disni.verbs.IbvSge;
import com.ibm.disni.verbs.SVCPostSend;
import io.railflux.fabric.disni.memory.MemoryRegion;
import java.io.IOException;
import java.nio.ByteOrder;
import java.util.LinkedList;
import java.util.List;

/**
 * A prepared request of one opcode for repeated posting. DiSNI permits changes of addresses, keys, lengths, number
 * and flags, but not of opcode and immediate data.
 */
public final class SendCall {

  private final SVCPostSend call;
  private final SVCPostSend.SendWRMod request;

  private SendCall(SVCPostSend call) throws IOException {
    this.call = call;
    this.request = call.getWrMod(0);
  }

  /** @param immediate for opcodes that carry some, else 0 */
  // DiSNI requires linked lists.
  @SuppressWarnings("JdkObsolete")
  static SendCall of(IbvQP qp, int opcode, int immediate, boolean withMemory) throws IOException {
    IbvSendWR request = new IbvSendWR();
    request.setOpcode(opcode);
    request.setImm_data(networkOrder(immediate));
    LinkedList<IbvSge> memory = new LinkedList<>();
    if (withMemory) {
      memory.add(new IbvSge());
    }
    request.setSg_list(memory);
    return new SendCall(qp.postSend(List.of(request), null));
  }

  /** Verbs define network order for immediate data, and DiSNI does not convert it. */
  public static int networkOrder(int immediate) {
    return ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN
        ? immediate
        : Integer.reverseBytes(immediate);
  }

  SendCall local(MemoryRegion region, int offset, int lengthBytes) {
    SVCPostSend.SgeMod memory = request.getSgeMod(0);
    memory.setAddr(region.address() + offset);
    memory.setLength(lengthBytes);
    memory.setLkey(region.localKey());
    return this;
  }

  SendCall remote(long address, int key) {
    SVCPostSend.RdmaMod target = request.getRdmaMod();
    target.setRemote_addr(address);
    target.setRkey(key);
    return this;
  }

  /** @param flags of {@link IbvSendWR} */
  void post(long workId, int flags) throws IOException {
    request.setWr_id(workId);
    request.setSend_flags(flags);
    call.execute();
  }

  void free() {
    call.free();
  }
}
