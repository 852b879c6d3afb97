package io.railflux.fabric.tcp;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOutboundBuffer;

/**
 * Puts frames on a connection: headers and short payloads are gathered in one buffer, long payloads
 * go from where they are.
 */
@SuppressWarnings("FutureReturnValueIgnored") // What fails ends the channel, which tells.
final class FrameWriter {

  /** A payload that is larger stays where it is. */
  static final int COPIED_BYTES = 16 * 1024;

  /** Pieces that wait for more: each may be a buffer. */
  static final int MOST_HELD = 16;

  /** Buffers that the kernel has not taken. */
  static final int MOST_UNSENT = 256;

  private final Channel channel;
  private final ReusedBuffers buffers;
  private final boolean encrypted;
  private ByteBuf gathered;

  // Of what was handed to the channel, in pieces.
  private long written;
  private long flushed;

  private long unflushedBytes;

  /** @param encrypted whether the channel copies what it is given when it is flushed */
  FrameWriter(Channel channel, ReusedBuffers buffers, boolean encrypted) {
    this.channel = channel;
    this.buffers = buffers;
    this.encrypted = encrypted;
  }

  /** Whether the connection takes more without piling it up, be it bytes or buffers with little in them. */
  boolean isWritable() {
    ChannelOutboundBuffer unsent = channel.unsafe().outboundBuffer();
    return channel.isWritable() && (unsent == null || unsent.size() < MOST_UNSENT);
  }

  /** Room for a header. */
  ByteBuf header() {
    return room(TcpFrame.BYTES);
  }

  /** The range stays borrowed until the peer acknowledged it. */
  void payload(TcpLocalMemory memory, int offset, int length) {
    if (length <= COPIED_BYTES) {
      room(length).writeBytes(memory.view(offset, length));
    } else {
      write();
      unflushedBytes += length;
      ByteBuf lent = memory.lend(offset, length);
      // TLS must not find room behind it, where it could gather what follows.
      write(encrypted ? lent.slice() : lent);
    }
  }

  /** Where the last {@link #payload} that was not copied ends, for {@link #hasLeft}. */
  long position() {
    return written;
  }

  /** Whether all up to there was taken by the kernel: what is sent from its owner's memory is sent. */
  boolean hasLeft(long position) {
    ChannelOutboundBuffer unsent = channel.unsafe().outboundBuffer();
    int waiting = encrypted || unsent == null ? 0 : unsent.size();
    return position - (flushed - waiting) <= 0;
  }

  /** As {@link #payload}, but of at most one buffer, and the range is free at once; returns how much. */
  int copy(TcpLocalMemory memory, int offset, int length) {
    int count = Math.min(length, buffers.bytes());
    room(count).writeBytes(memory.view(offset, count));
    return count;
  }

  void operands(long first, long second) {
    room(TcpFrame.ATOMIC_BYTES).writeLongLE(first).writeLongLE(second);
  }

  void value(long former) {
    room(Long.BYTES).writeLongLE(former);
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

  private void write(ByteBuf piece) {
    channel.write(piece, channel.voidPromise());
    written++;
  }

  /** Hands everything to the kernel that it takes; the rest follows by itself. */
  void flush() {
    write();
    unflushedBytes = 0;
    if (flushed != written) {
      flushed = written;
      channel.flush();
    }
  }

  /** Whether what the next {@link #flush} hands over has fewer bytes, needs few buffers, and there is room for more. */
  boolean holdsLittle(int bytes) {
    return unflushedBytes < bytes && written - flushed < MOST_HELD && isWritable();
  }

  /** Whether something was flushed that the kernel has not taken yet. */
  boolean isUnsent() {
    ChannelOutboundBuffer unsent = channel.unsafe().outboundBuffer();
    return unsent != null && !unsent.isEmpty();
  }

  void close() {
    if (gathered != null) {
      gathered.release();
      gathered = null;
    }
  }
}
