package io.railflux.fabric;

/**
 * One request to post. Mutable and meant to be reused: {@link Endpoint#post} takes what it needs
 * before it returns. Public fields because this is a parameter block, filled on the hot path.
 *
 * <p>Offsets and lengths are in bytes. Unused fields are ignored by the opcode.
 */
public final class WorkRequest {

  /** An empty request. */
  public WorkRequest() {}

  public Opcode opcode;

  /** Handed back in the completion. */
  public long id;

  public LocalMemory local;
  public int localOffset;
  public int lengthBytes;

  public RemoteRegion remote;
  public int remoteOffset;

  /** For {@link Opcode#WRITE_WITH_IMMEDIATE}; where the fabric declares it, for sends too. */
  public int immediate;

  /** Atomics: what to add or to swap in. */
  public long operand;

  /** {@link Opcode#COMPARE_SWAP}: value expected. */
  public long compare;

  /** Whether success completes visibly. Failure always does. */
  public boolean signaled;

  /** Raises a solicited event at the peer. */
  public boolean solicited;

  /** Starts only after earlier reads of this endpoint completed. */
  public boolean fenced;

  /** Datagram and extended endpoints: destination; {@code null} elsewhere. */
  public Object addressHandle;

  /** Datagram and extended endpoints: remote queue number. */
  public int remoteQueueNumber;

  /** Sets every field back to nothing. */
  public WorkRequest reset() {
    opcode = null;
    id = 0;
    local = null;
    localOffset = 0;
    lengthBytes = 0;
    remote = null;
    remoteOffset = 0;
    immediate = 0;
    operand = 0;
    compare = 0;
    signaled = false;
    solicited = false;
    fenced = false;
    addressHandle = null;
    remoteQueueNumber = 0;
    return this;
  }

  public WorkRequest write(
      LocalMemory from, int offset, int length, RemoteRegion to, int toOffset) {
    reset();
    opcode = Opcode.WRITE;
    local = from;
    localOffset = offset;
    lengthBytes = length;
    remote = to;
    remoteOffset = toOffset;
    return this;
  }

  public WorkRequest read(
      LocalMemory into, int offset, int length, RemoteRegion from, int fromOffset) {
    write(into, offset, length, from, fromOffset);
    opcode = Opcode.READ;
    return this;
  }

  public WorkRequest send(LocalMemory from, int offset, int length) {
    reset();
    opcode = Opcode.SEND;
    local = from;
    localOffset = offset;
    lengthBytes = length;
    return this;
  }

  public WorkRequest withId(long newId) {
    id = newId;
    signaled = true;
    return this;
  }
}
