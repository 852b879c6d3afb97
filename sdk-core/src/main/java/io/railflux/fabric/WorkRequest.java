package io.railflux.fabric;

import org.jspecify.annotations.Nullable;

/**
 * A request to post. Mutable and reusable: {@link Endpoint#post} copies the fields. The fields are public because the
 * request is a parameter block that is filled on the hot path. Offsets and lengths are in bytes. Operations ignore
 * fields that they do not use.
 */
public final class WorkRequest {

  /** Creates an empty request. */
  public WorkRequest() {}

  /** Operation of the request. */
  public @Nullable Opcode opcode;

  /** Identity of the request, returned in its completion. */
  public long id;

  /** Local source or sink. */
  public @Nullable LocalMemory local;
  /** Start in the local memory, in bytes. */
  public int localOffset;
  /** Number of bytes to transfer. */
  public int lengthBytes;

  /** Remote source or sink. */
  public @Nullable RemoteRegion remote;
  /** Start in the remote region, in bytes. */
  public int remoteOffset;

  /** Immediate data of {@link Opcode#WRITE_WITH_IMMEDIATE}, and of sends where the fabric declares it. */
  public int immediate;

  /** Atomics: the value to add or to store. */
  public long operand;

  /** {@link Opcode#COMPARE_SWAP}: the expected value. */
  public long compare;

  /** Whether success has a completion. A failure always has one. */
  public boolean signaled;

  /** Whether the request raises a solicited event at the peer. */
  public boolean solicited;

  /** Whether the request starts only after earlier reads of the endpoint have completed. */
  public boolean fenced;

  /** Destination of datagram and extended endpoints; null otherwise. */
  public @Nullable Object addressHandle;

  /** Remote queue number of datagram and extended endpoints. */
  public int remoteQueueNumber;

  /**
   * Clears all fields.
   *
   * @return this
   */
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

  /**
   * Makes this an unsignaled {@link Opcode#WRITE} and clears all other fields.
   *
   * @param from source
   * @param offset start in the source, in bytes
   * @param length number of bytes
   * @param to sink
   * @param toOffset start in the sink, in bytes
   * @return this
   */
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

  /**
   * Makes this an unsignaled {@link Opcode#READ} and clears all other fields.
   *
   * @param into sink
   * @param offset start in the sink, in bytes
   * @param length number of bytes
   * @param from source
   * @param fromOffset start in the source, in bytes
   * @return this
   */
  public WorkRequest read(
      LocalMemory into, int offset, int length, RemoteRegion from, int fromOffset) {
    write(into, offset, length, from, fromOffset);
    opcode = Opcode.READ;
    return this;
  }

  /**
   * Makes this an unsignaled {@link Opcode#SEND} and clears all other fields.
   *
   * @param from source
   * @param offset start in the source, in bytes
   * @param length number of bytes
   * @return this
   */
  public WorkRequest send(LocalMemory from, int offset, int length) {
    reset();
    opcode = Opcode.SEND;
    local = from;
    localOffset = offset;
    lengthBytes = length;
    return this;
  }

  /**
   * Sets the id and makes the request signaled.
   *
   * @param newId identity, returned in the completion
   * @return this
   */
  public WorkRequest withId(long newId) {
    id = newId;
    signaled = true;
    return this;
  }
}
