package io.railflux.fabric.tcp;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelConfig;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.util.UncheckedBooleanSupplier;

/**
 * Says where the next read of a socket goes: into the place of the payload that is due, when much of
 * it is missing, else into a buffer that takes many frames at once.
 */
final class PayloadAllocator implements RecvByteBufAllocator, RecvByteBufAllocator.ExtendedHandle {

  /** So that no peer keeps the engine from the others for long. */
  private static final int MAX_READS = 16;

  /** Behind a large payload often comes another: little of it should go through a buffer. */
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

  /** Whether {@code input} is the payload's own place; takes it over then. */
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
