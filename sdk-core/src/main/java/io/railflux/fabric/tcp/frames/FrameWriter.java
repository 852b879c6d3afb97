package io.railflux.fabric.tcp.frames;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.WriteBufferWaterMark;

/**
 * Writes frames to a connection. It gathers headers and short payloads in one buffer; long payloads leave from their
 * own memory.
 */
@SuppressWarnings("FutureReturnValueIgnored") // A failure closes the channel, which reports it.
public final class FrameWriter {

  /** Largest payload that is copied. */
  public static final int COPIED_BYTES = 16 * 1024;

  /**
   * Bytes that may wait for the socket. One call passes them to the kernel: a MiB of a large message and the frames
   * behind it.
   */
  public static final WriteBufferWaterMark UNSENT =
      new WriteBufferWaterMark(256 * 1024, (1024 + 16) * 1024);

  /** Size of a frame with such a payload and both checksums. */
  private static final int FRAME_BYTES = TcpFrame.BYTES + COPIED_BYTES + 2 * FrameChecksum.BYTES;

  /** Largest number of pieces that wait for more; each may be a buffer. */
  static final int MAX_HELD = 16;

  /** Largest number of buffers that the kernel has not accepted. */
  public static final int MAX_UNSENT = 256;

  private final Channel channel;
  private final ReusedBuffers buffers;
  private final boolean encrypted;
  private final FrameChecksum checksum;
  private ByteBuf gathered;

  // Pieces handed to the channel.
  private long written;
  private long flushed;

  private long unflushedBytes;

  /**
   * @param encrypted whether the channel copies its input when it is flushed
   * @param checksum null for frames without checksums
   */
  public FrameWriter(
      Channel channel, ReusedBuffers buffers, boolean encrypted, FrameChecksum checksum) {
    this.channel = channel;
    this.buffers = buffers;
    this.encrypted = encrypted;
    this.checksum = checksum;
  }

  /** Whether the connection accepts more bytes and buffers without a backlog. */
  public boolean isWritable() {
    ChannelOutboundBuffer unsent = channel.unsafe().outboundBuffer();
    return channel.isWritable() && (unsent == null || unsent.size() < MAX_UNSENT) && hasRoom();
  }

  /** Whether a buffer is available for the next frame. */
  public boolean hasRoom() {
    if (gathered != null && gathered.writableBytes() >= FRAME_BYTES) {
      return true;
    }
    return buffers.hasOne(gathered == null && written == flushed && !isUnsent());
  }

  /** Writes a header, as {@link TcpFrame#put}; the payload of its type follows. */
  public void header(
      int type, int flags, int length, long taken, long key, int offset, int immediate) {
    if (checksum == null) {
      TcpFrame.put(room(TcpFrame.BYTES), type, flags, length, taken, key, offset, immediate);
      return;
    }
    ByteBuf to = room(TcpFrame.BYTES + FrameChecksum.BYTES);
    int start = to.writerIndex();
    TcpFrame.put(to, type, flags, length, taken, key, offset, immediate);
    checksum.reset();
    checksum.update(to, start, TcpFrame.BYTES);
    to.writeIntLE(checksum.value());
  }

  /** Writes a payload. The range stays borrowed until the peer acknowledges it. */
  public void payload(TcpLocalMemory memory, int offset, int length) {
    if (checksum != null) {
      checksum.update(memory.view(offset, length));
    }
    if (length <= COPIED_BYTES) {
      room(length).writeBytes(memory.view(offset, length));
    } else {
      writeBefore();
      unflushedBytes += length;
      ByteBuf lent = memory.lend(offset, length);
      // Without room behind it TLS cannot gather later bytes there.
      write(encrypted ? lent.slice() : lent);
    }
    endPayload();
  }

  /** Ends a payload. */
  private void endPayload() {
    if (checksum != null) {
      room(FrameChecksum.BYTES).writeIntLE(checksum.value());
    }
  }

  /** Returns the end of the last {@link #payload} that was not copied, for {@link #hasLeft}. */
  public long position() {
    return written;
  }

  /** Whether the kernel accepted everything up to the position, so that its memory is free. */
  public boolean hasLeft(long position) {
    ChannelOutboundBuffer unsent = channel.unsafe().outboundBuffer();
    int waiting = encrypted || unsent == null ? 0 : unsent.size();
    return position - (flushed - waiting) <= 0;
  }

  /**
   * Writes like {@link #payload}, but at most one buffer, and frees the range at once.
   *
   * @param length remaining bytes of the payload
   * @return number of written bytes
   */
  public int copy(TcpLocalMemory memory, int offset, int length) {
    int count = Math.min(length, buffers.isScarce() ? COPIED_BYTES : buffers.bytes());
    if (checksum != null) {
      checksum.update(memory.view(offset, count));
    }
    room(count).writeBytes(memory.view(offset, count));
    if (count == length) {
      endPayload();
    }
    return count;
  }

  public void operands(long first, long second) {
    values(room(TcpFrame.ATOMIC_BYTES).writeLongLE(first).writeLongLE(second), 2);
  }

  public void value(long former) {
    values(room(Long.BYTES).writeLongLE(former), 1);
  }

  private void values(ByteBuf to, int count) {
    int bytes = count * Long.BYTES;
    if (checksum != null) {
      checksum.update(to, to.writerIndex() - bytes, bytes);
    }
    endPayload();
  }

  private ByteBuf room(int bytes) {
    if (gathered != null && gathered.writableBytes() < bytes) {
      write();
    }
    if (gathered == null) {
      gathered = buffers.take();
    }
    unflushedBytes += bytes;
    return gathered;
  }

  private void write() {
    if (gathered != null) {
      write(gathered);
      gathered = null;
    }
  }

  /** Keeps room for a checksum in the same buffer, because there may be no memory for another one. */
  private void writeBefore() {
    if (checksum != null && gathered != null && gathered.isWritable(FrameChecksum.BYTES)) {
      write(gathered.readRetainedSlice(gathered.readableBytes()));
    } else {
      write();
    }
  }

  private void write(ByteBuf piece) {
    channel.write(piece, channel.voidPromise());
    written++;
  }

  /** Passes all frames to the kernel as far as it accepts them; the channel sends the remainder. */
  public void flush() {
    write();
    unflushedBytes = 0;
    if (flushed != written) {
      flushed = written;
      channel.flush();
    }
  }

  /** Whether the next {@link #flush} would pass fewer bytes and few buffers, with room for more. */
  public boolean holdsLittle(int bytes) {
    return unflushedBytes < bytes && written - flushed < MAX_HELD && isWritable();
  }

  /** Whether flushed bytes wait for the kernel. */
  public boolean isUnsent() {
    ChannelOutboundBuffer unsent = channel.unsafe().outboundBuffer();
    return unsent != null && !unsent.isEmpty();
  }

  public void close() {
    if (gathered != null) {
      gathered.release();
      gathered = null;
    }
  }
}
