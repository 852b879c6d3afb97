package io.railflux.fabric.tcp;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelConfig;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.util.UncheckedBooleanSupplier;
import io.railflux.fabric.tcp.frames.FrameReader;
import io.railflux.fabric.tcp.frames.ReusedBuffers;

/**
 * Chooses the target of the next read: the target of the current payload if many of its bytes are missing, otherwise
 * a buffer for many frames.
 */
final class PayloadAllocator implements RecvByteBufAllocator, RecvByteBufAllocator.ExtendedHandle {

  /** Bounds the turn of a peer. */
  private static final int MAX_READS = 16;

  /** A large payload often follows another one, so few of its bytes should pass a buffer. */
  private static final int BEHIND_LARGE_BYTES = 2 * 1024;

  private final TcpConnection connection;
  private final ReusedBuffers buffers;
  private ByteBuf direct;
  private boolean behindLarge;
  private int attempted;
  private int last;
  private int reads;
  private ChannelConfig config;

  PayloadAllocator(TcpConnection connection, ReusedBuffers buffers) {
    this.connection = connection;
    this.buffers = buffers;
  }

  @Override
  public PayloadAllocator newHandle() {
    return this;
  }

  @Override
  public ByteBuf allocate(ByteBufAllocator allocator) {
    FrameReader reader = connection.openReader();
    direct = reader == null ? null : reader.directTarget();
    if (direct != null) {
      return direct;
    }
    ByteBuf buffer = buffers.take();
    boolean small = behindLarge;
    behindLarge = false;
    return small ? buffer.slice(0, BEHIND_LARGE_BYTES).clear() : buffer;
  }

  /** Whether {@code input} is the target of the payload; then takes ownership of it. */
  boolean tookDirectly(ByteBuf input) {
    if (direct != input) {
      return false;
    }
    direct = null;
    FrameReader reader = connection.openReader();
    reader.readDirectly(input.readableBytes());
    behindLarge = reader.isBetweenFrames();
    input.release();
    return true;
  }

  @Override
  public int guess() {
    return buffers.bytes();
  }

  @Override
  public void reset(ChannelConfig newConfig) {
    config = newConfig;
    reads = 0;
  }

  @Override
  public void incMessagesRead(int count) {
    reads += count;
  }

  @Override
  public void lastBytesRead(int bytes) {
    last = bytes;
  }

  @Override
  public int lastBytesRead() {
    return last;
  }

  @Override
  public void attemptedBytesRead(int bytes) {
    attempted = bytes;
  }

  @Override
  public int attemptedBytesRead() {
    return attempted;
  }

  @Override
  public boolean continueReading() {
    FrameReader reader = connection.openReader();
    return config.isAutoRead()
        && reads < MAX_READS
        && last == attempted
        && (reader == null || !reader.isWaiting());
  }

  @Override
  public boolean continueReading(UncheckedBooleanSupplier maybeMore) {
    return continueReading();
  }

  @Override
  public void readComplete() {
    direct = null;
  }
}
