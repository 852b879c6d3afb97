package io.railflux.fabric.tcp;

import io.netty.buffer.ByteBuf;
import io.railflux.fabric.LocalMemory;
import java.nio.ByteBuffer;

/** Memory of the caller's; the kernel copies out of it and into it. */
class TcpLocalMemory implements LocalMemory {

  private final ByteBuffer memory;
  private final ByteBuffer view;
  private final ReusedBuffers buffers;
  private boolean closed;

  TcpLocalMemory(ByteBuffer memory) {
    if (!memory.isDirect()) {
      throw new IllegalArgumentException("only direct memory can be registered");
    }
    this.memory = memory;
    this.view = memory.duplicate();
    this.buffers = ReusedBuffers.over(memory);
  }

  @Override
  public ByteBuffer memory() {
    return memory;
  }

  @Override
  public int lengthBytes() {
    return memory.capacity();
  }

  /** The range between position and limit, valid until the next call. */
  final ByteBuffer view(int offset, int length) {
    return view.limit(offset + length).position(offset);
  }

  /** A buffer whose readable bytes are the range; who takes it releases it when it is done with them. */
  final ByteBuf lend(int offset, int length) {
    return buffers.take().setIndex(offset, offset + length);
  }

  /** Whether the range lies inside and may be used. */
  boolean covers(int offset, int length) {
    return !closed && offset >= 0 && length >= 0 && offset <= memory.capacity() - length;
  }

  boolean isClosed() {
    return closed;
  }

  @Override
  public void close() {
    closed = true;
  }
}
