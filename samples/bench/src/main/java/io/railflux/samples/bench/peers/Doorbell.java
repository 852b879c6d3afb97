package io.railflux.samples.bench.peers;

import io.railflux.samples.cli.measure.RawFile;
import io.railflux.samples.cli.measure.RawRing;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/**
 * One side of bare rings whose reader sleeps. A byte over a socket wakes the reader.
 * @param channel blocking
 * @param out ring to the other side
 */
record Doorbell(SocketChannel channel, RawRing out, RawRing in, ByteBuffer bell)
    implements AutoCloseable {

  static Doorbell near(SocketChannel channel, RawFile.Pair rings) {
    return new Doorbell(channel, rings.out(), rings.back(), ByteBuffer.allocateDirect(1));
  }

  static Doorbell far(SocketChannel channel, RawFile.Pair rings) {
    return new Doorbell(channel, rings.back(), rings.out(), ByteBuffer.allocateDirect(1));
  }

  void send(long number) throws IOException {
    if (!out.offer(number)) {
      throw new IOException("no space for the one message in flight");
    }
    ring();
  }

  /** Wakes the other side, with or without a message. */
  void ring() throws IOException {
    bell.clear();
    channel.write(bell);
  }

  /** Sleeps until a message arrives and returns its number. */
  long receive() throws IOException {
    bell.clear();
    if (channel.read(bell) < 0) {
      throw new EOFException("the other side closed the socket");
    }
    if (in.poll(1) == 0) {
      throw new IOException("wake-up without a message");
    }
    return in.last();
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
