package io.railflux.samples.bench.growth;

import io.railflux.samples.cli.measure.Reading;
import io.railflux.samples.cli.measure.Work;
import io.railflux.samples.cli.shell.ChildProcess;
import io.railflux.samples.cli.shell.CommandFailure;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;

/**
 * What bare sockets do in the place of nodes around a hub: each thread of another process writes 64 KiB after 64 KiB
 * to a socket of its own, and one thread here reads all of them without ever sleeping.
 */
final class BareFanIn {

  static final String NAME = "bare-fan-in";

  private final Plan plan;
  private final Reading reading = new Reading(Work.TOUCH, Traffic.SMALL_BYTES);
  private final ByteBuffer buffer = ByteBuffer.allocateDirect(BareCrowdCommand.WRITE_BYTES);

  BareFanIn(Plan plan) {
    this.plan = plan;
    buffer.order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Messages of 64 B that all of them together send. */
  double perSecond(int count) {
    try (ServerSocketChannel server = ServerSocketChannel.open()) {
      server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), count);
      String port = String.valueOf(((InetSocketAddress) server.getLocalAddress()).getPort());
      List<String> arguments =
          List.of("bare-crowd", "--port", port, "--count", String.valueOf(count));
      try (ChildProcess crowd =
          ChildProcess.start(Main.class.getName(), "bare", arguments, line -> {})) {
        // Else nobody might come.
        crowd.onEnd(ended -> close(server));
        return read(accept(server, count));
      }
    } catch (IOException e) {
      throw new CommandFailure("bare sockets: " + e.getMessage(), e);
    }
  }

  private static void close(ServerSocketChannel server) {
    try {
      server.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<SocketChannel> accept(ServerSocketChannel server, int count)
      throws IOException {
    List<SocketChannel> channels = new ArrayList<>();
    while (channels.size() < count) {
      SocketChannel channel = server.accept();
      channel.configureBlocking(false);
      channels.add(channel);
    }
    return channels;
  }

  private double read(List<SocketChannel> channels) throws IOException {
    try {
      readFor(channels, plan.warmUpNanos());
      long begun = System.nanoTime();
      long bytes = readFor(channels, plan.measuredNanos());
      return bytes * 1e9 / Traffic.SMALL_BYTES / (System.nanoTime() - begun);
    } finally {
      for (SocketChannel channel : channels) {
        channel.close();
      }
    }
  }

  private long readFor(List<SocketChannel> channels, long nanos) throws IOException {
    long end = System.nanoTime() + nanos;
    long bytes = 0;
    while (System.nanoTime() - end < 0) {
      for (int i = 0; i < channels.size(); i++) {
        int count = channels.get(i).read(buffer.clear());
        if (count > 0) {
          reading.readPart(buffer, 0, count);
          bytes += count;
        }
      }
    }
    return bytes;
  }
}
