package io.railflux.samples.cli.measure;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SocketChannel;

/**
 * Messages of one size over a bare socket, one after the other without anything between them. What is
 * gathered or read at once is a whole number of messages, or a whole part of one.
 */
public final class BareSocket implements AutoCloseable {

  private static final int GATHERED_BYTES = 64 << 10;
  private static final int MAX_PIECE_BYTES = 16 << 20;

  private final SocketChannel channel;
  private final int sizeBytes;
  private final ByteBuffer fill;
  private final Reading reading;
  private final ByteBuffer out;
  private final ByteBuffer in;
  private int counted;
  private long bytesRead;
  private long last;

  public BareSocket(SocketChannel channel, int sizeBytes, Work work) {
    this.channel = channel;
    this.sizeBytes = sizeBytes;
    this.fill = Payload.fill(sizeBytes);
    this.reading = new Reading(work, sizeBytes);
    int bytes = sizeBytes * Math.max(1, GATHERED_BYTES / sizeBytes);
    this.out = buffer(bytes);
    this.in = buffer(bytes);
  }

  private static ByteBuffer buffer(int bytes) {
    return ByteBuffer.allocateDirect(Math.min(bytes, MAX_PIECE_BYTES))
        .order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Sends when enough is gathered. */
  public void gather(long number) throws IOException {
    int left = sizeBytes;
    while (left > 0) {
      int part = Math.min(left, out.remaining());
      int start = out.position();
      Payload.put(fill, out, start, part);
      out.position(start + part);
      if (left == sizeBytes) {
        out.putLong(start, number);
      }
      left -= part;
      if (out.remaining() < Math.min(sizeBytes, out.capacity())) {
        flush();
      }
    }
  }

  /** Returns when the kernel has it. */
  public void flush() throws IOException {
    out.flip();
    while (out.hasRemaining()) {
      if (channel.write(out) == 0) {
        Thread.onSpinWait();
      }
    }
    out.clear();
  }

  public void send(long number) throws IOException {
    gather(number);
    if (out.position() > 0) {
      flush();
    }
  }

  /** One message of which at most one is under way; returns its number. */
  public long receive() throws IOException {
    int left = sizeBytes;
    while (left > 0) {
      in.clear().limit(Math.min(left, in.capacity()));
      while (in.hasRemaining()) {
        if (read() < 0) {
          throw new EOFException("the far process closed the bare socket");
        }
      }
      if (left == sizeBytes) {
        last = in.getLong(0);
      }
      left -= in.limit();
      reading.readPart(in, 0, in.limit());
    }
    return last;
  }

  /** Reads all messages until the end of input; returns how many there were. */
  public long receiveAll() throws IOException {
    in.clear();
    counted = 0;
    int part = Math.min(sizeBytes, in.capacity());
    while (read() >= 0) {
      for (; counted + part <= in.position(); counted += part) {
        reading.readPart(in, counted, part);
      }
      if (!in.hasRemaining()) {
        in.clear();
        counted = 0;
      }
    }
    return bytesRead / sizeBytes;
  }

  private int read() throws IOException {
    int read = channel.read(in);
    if (read == 0) {
      Thread.onSpinWait();
    }
    bytesRead += Math.max(0, read);
    return read;
  }

  /** Looks for what does not come. */
  public void spin() throws IOException {
    in.clear();
    read();
  }

  /** What was sent before still arrives. */
  public void endOutput() throws IOException {
    if (out.position() > 0) {
      flush();
    }
    channel.shutdownOutput();
  }

  /** The other way of {@link #awaitCount}. */
  public void sendCount(long count) throws IOException {
    out.clear().putLong(count);
    flush();
  }

  /** What the other side has received. */
  public long awaitCount() throws IOException {
    in.clear().limit(Long.BYTES);
    while (in.hasRemaining()) {
      if (read() < 0) {
        throw new EOFException("the far process closed the bare socket");
      }
    }
    return in.getLong(0);
  }

  /** Of all that was touched: nothing of it may be optimized away. */
  public long sum() {
    return reading.sum();
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
