package io.railflux.fabric.tcp.frames;

import io.netty.buffer.ByteBuf;
import io.railflux.fabric.LocalMemory;
import java.nio.ByteBuffer;

/** Memory of the caller, which the kernel reads and writes. */
public class TcpLocalMemory implements LocalMemory {

  private final ByteBuffer memory;
  private final ByteBuffer view;
  private final ReusedBuffers buffers;
  private boolean closed;

  public TcpLocalMemory(ByteBuffer memory) {
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

  /** Returns the range between position and limit, valid until the next call. */
  final ByteBuffer view(int offset, int length) {
    return view.limit(offset + length).position(offset);
  }

  /** Returns a buffer with the range as readable bytes, which the holder releases. */
  final ByteBuf lend(int offset, int length) {
    return buffers.take().setIndex(offset, offset + length);
  }

  /** Whether the range is inside the memory and usable. */
  public boolean covers(int offset, int length) {
    return !closed && offset >= 0 && length >= 0 && offset <= memory.capacity() - length;
  }

  public boolean isClosed() {
    return closed;
  }

  @Override
  public void close() {
    closed = true;
  }
}
