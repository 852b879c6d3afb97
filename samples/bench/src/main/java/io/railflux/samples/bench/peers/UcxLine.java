package io.railflux.samples.bench.peers;

import io.railflux.samples.cli.measure.Payload;
import io.railflux.samples.cli.measure.Reading;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.openucx.jucx.ucp.UcpRequest;

/**
 * Messages over a connection with one buffer per message of a window. The reader returns credit per half window, which
 * bounds the messages that UCX buffers.
 */
final class UcxLine {

  private static final int WINDOW_BYTES = 4 << 20;
  private static final int MAX_WINDOW = 256;
  private static final int MIN_WINDOW = 4;
  private static final long MESSAGE = 1;
  private static final long CREDIT = 2;

  private final UcxConnection connection;
  private final int sizeBytes;
  private final int window;
  private final Reading reading;
  private final ByteBuffer fill;
  private final ByteBuffer out;
  private final ByteBuffer in;
  private final ByteBuffer credits = buffer(Long.BYTES);
  private final UcpRequest[] sending;
  private final UcpRequest[] receiving;
  private UcpRequest crediting;
  private long sent;
  private long received;
  private long credited;

  /**
   * @param connection connected, except for the far side before its first message
   */
  UcxLine(UcxConnection connection, Job job) {
    this.connection = connection;
    this.sizeBytes = job.sizeBytes();
    this.window = Math.max(MIN_WINDOW, Math.min(MAX_WINDOW, WINDOW_BYTES / sizeBytes));
    this.reading = job.reading();
    this.fill = Payload.fill(sizeBytes);
    this.out = buffer(window * sizeBytes);
    this.in = buffer(window * sizeBytes);
    this.sending = new UcpRequest[window];
    this.receiving = new UcpRequest[window];
    for (int place = 0; place < window; place++) {
      expect(place);
    }
  }

  private static ByteBuffer buffer(int bytes) {
    return ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  private void expect(int place) {
    receiving[place] = connection.receive(in, place * sizeBytes, sizeBytes, MESSAGE);
  }

  void send(long number) throws IOException {
    int place = (int) (sent % window);
    if (sending[place] != null && !connection.await(sending[place])) {
      return;
    }
    int offset = place * sizeBytes;
    Payload.put(fill, out, offset, sizeBytes);
    out.putLong(offset, number);
    sending[place] = connection.send(out, offset, sizeBytes, MESSAGE);
    sent++;
  }

  /** Waits until the reader is less than a window behind. */
  void awaitCredit() throws IOException {
    while (sent - credited >= window) {
      if (crediting == null) {
        crediting = connection.receive(credits, 0, Long.BYTES, CREDIT);
      }
      if (!connection.await(crediting)) {
        return;
      }
      credited = credits.getLong(0);
      crediting = null;
    }
  }

  /** Reports the position of this reader once per half window. */
  void giveCredit() throws IOException {
    if (received % (window / 2) == 0) {
      credits.putLong(0, received);
      connection.await(connection.send(credits, 0, Long.BYTES, CREDIT));
    }
  }

  /** Returns the number of the next message, or {@link Arrivals#SILENCE} if this side was stopped. */
  long receive() throws IOException {
    int place = (int) (received % window);
    UcpRequest request = receiving[place];
    while (!request.isCompleted()) {
      if (connection.isStopped()) {
        return Arrivals.SILENCE;
      }
      connection.progress();
    }
    int offset = place * sizeBytes;
    reading.read(in, offset);
    long number = in.getLong(offset);
    received++;
    expect(place);
    return number;
  }
}
