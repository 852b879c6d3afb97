package io.railflux.fabric.disni;

import com.ibm.disni.verbs.IbvSendWR;
import com.ibm.disni.verbs.IbvSge;
import com.ibm.disni.verbs.SVCPostSend;
import java.io.IOException;
import java.util.List;

/** A prepared request. Posting copies it. */
final class FakeSend extends SVCPostSend
    implements SVCPostSend.SendWRMod, SVCPostSend.RdmaMod, SVCPostSend.SgeMod {

  private final FakeQueuePair pair;
  private final int opcode;
  private final int immediate;
  private final boolean withMemory;
  private long id;
  private int flags;
  private long remoteAddress;
  private int remoteKey;
  private long address;
  private int length;
  private int localKey;
  private boolean valid = true;

  /** The fields of a posted request that a card needs. */
  record Posted(
      long id,
      int opcode,
      int flags,
      int immediate,
      long address,
      int length,
      int localKey,
      long remoteAddress,
      int remoteKey) {

    boolean has(int flag) {
      return (flags & flag) != 0;
    }

    boolean isMessage() {
      return opcode != IbvSendWR.IBV_WR_RDMA_WRITE && opcode != IbvSendWR.IBV_WR_RDMA_READ;
    }

    boolean isSend() {
      return opcode == IbvSendWR.IBV_WR_SEND || opcode == IbvSendWR.IBV_WR_SEND_WITH_IMM;
    }

    boolean isImmediate() {
      return opcode == IbvSendWR.IBV_WR_SEND_WITH_IMM
          || opcode == IbvSendWR.IBV_WR_RDMA_WRITE_WITH_IMM;
    }
  }

  FakeSend(FakeQueuePair pair, IbvSendWR request) {
    this.pair = pair;
    this.opcode = request.getOpcode();
    this.immediate = request.getImm_data();
    this.id = request.getWr_id();
    this.flags = request.getSend_flags();
    this.remoteAddress = request.getRdma().getRemote_addr();
    this.remoteKey = request.getRdma().getRkey();
    List<IbvSge> memory = request.getSg_list();
    this.withMemory = !memory.isEmpty();
    if (withMemory) {
      this.address = memory.get(0).getAddr();
      this.length = memory.get(0).getLength();
      this.localKey = memory.get(0).getLkey();
    }
  }

  @Override
  public SVCPostSend execute() throws IOException {
    pair.postSend(new Posted(
        id, opcode, flags, immediate, address, length, localKey, remoteAddress, remoteKey));
    return this;
  }

  @Override
  public boolean isValid() {
    return valid;
  }

  @Override
  public SVCPostSend free() {
    valid = false;
    return this;
  }

  @Override
  public SendWRMod getWrMod(int index) {
    return this;
  }

  @Override
  public void setWr_id(long newId) {
    id = newId;
  }

  @Override
  public void setSend_flags(int newFlags) {
    flags = newFlags;
  }

  @Override
  public long getWr_id() {
    return id;
  }

  @Override
  public int getNum_sge() {
    return withMemory ? 1 : 0;
  }

  @Override
  public int getOpcode() {
    return opcode;
  }

  @Override
  public int getSend_flags() {
    return flags;
  }

  @Override
  public RdmaMod getRdmaMod() {
    return this;
  }

  @Override
  public SgeMod getSgeMod(int index) {
    return this;
  }

  @Override
  public void setRemote_addr(long newAddress) {
    remoteAddress = newAddress;
  }

  @Override
  public long getRemote_addr() {
    return remoteAddress;
  }

  @Override
  public void setRkey(int newKey) {
    remoteKey = newKey;
  }

  @Override
  public int getRkey() {
    return remoteKey;
  }

  @Override
  public void setReserved(int reserved) {}

  @Override
  public int getReserved() {
    return 0;
  }

  @Override
  public void setAddr(long newAddress) {
    address = newAddress;
  }

  @Override
  public long getAddr() {
    return address;
  }

  @Override
  public void setLength(int newLength) {
    length = newLength;
  }

  @Override
  public int getLength() {
    return length;
  }

  @Override
  public void setLkey(int newKey) {
    localKey = newKey;
  }

  @Override
  public int getLkey() {
    return localKey;
  }
}
