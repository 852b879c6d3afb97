package io.railflux.samples.cli.measure;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SocketChannel;

/**
 * Sends messages of one size over a bare socket, without framing. A batch and a read cover a whole number of messages,
 * or a whole fraction of one.
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

  /** Adds a message to the batch, and sends a full batch. */
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

  /** Returns after the kernel accepted the batch. */
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

  /** Receives one message when at most one is in flight. Returns its number. */
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

  /** Reads all messages until the end of input. Returns their count. */
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

  /** Polls for input although none is expected. */
  public void spin() throws IOException {
    in.clear();
    read();
  }

  /** Ends the output. Bytes sent before still arrive. */
  public void endOutput() throws IOException {
    if (out.position() > 0) {
      flush();
    }
    channel.shutdownOutput();
  }

  /** Sends the counterpart of {@link #awaitCount}. */
  public void sendCount(long count) throws IOException {
    out.clear().putLong(count);
    flush();
  }

  /** Returns the number of messages that the other side received. */
  public long awaitCount() throws IOException {
    in.clear().limit(Long.BYTES);
    while (in.hasRemaining()) {
      if (read() < 0) {
        throw new EOFException("the far process closed the bare socket");
      }
    }
    return in.getLong(0);
  }

  /** Returns the sum of all words read, so that no read is optimized away. */
  public long sum() {
    return reading.sum();
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
