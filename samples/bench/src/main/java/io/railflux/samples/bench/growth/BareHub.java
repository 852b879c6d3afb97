package io.railflux.samples.bench.growth;

import io.railflux.samples.cli.shell.ChildProcess;
import io.railflux.samples.cli.shell.CommandFailure;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;

/**
 * Bare sockets in place of nodes around a hub. The other process has one thread per socket. One thread here serves all
 * sockets in turn, in pieces of 64 KiB, without sleeping.
 */
final class BareHub {

  static final String FAN_IN = "bare-fan-in";
  static final String FAN_OUT = "bare-fan-out";

  /** One socket. */
  private interface Line {

    /** Transfers available bytes and returns their number. */
    int move() throws IOException;
  }

  private final Plan plan;

  BareHub(Plan plan) {
    this.plan = plan;
  }

  /** Returns the received messages per second over {@code count} sockets. */
  double in(int count) {
    return run(count, false);
  }

  /** Returns the sent messages per second. */
  double out(int count) {
    return run(count, true);
  }

  private double run(int count, boolean out) {
    try (ServerSocketChannel server = ServerSocketChannel.open()) {
      server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), count);
      int port = ((InetSocketAddress) server.getLocalAddress()).getPort();
      List<String> arguments = BareCrowdCommand.arguments(port, count, out);
      try (ChildProcess crowd =
          ChildProcess.start(Main.class.getName(), "bare", arguments, line -> {})) {
        // Otherwise accept would block after the end of the crowd.
        crowd.onEnd(ended -> close(server));
        return serve(accept(server, crowd, count), out);
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

  private static List<SocketChannel> accept(
      ServerSocketChannel server, ChildProcess crowd, int count) throws IOException {
    List<SocketChannel> channels = new ArrayList<>();
    try {
      while (channels.size() < count) {
        SocketChannel channel = server.accept();
        channel.configureBlocking(false);
        channels.add(channel);
      }
    } catch (ClosedChannelException e) {
      throw new CommandFailure(crowd.describeEnd(), e);
    }
    return channels;
  }

  private double serve(List<SocketChannel> channels, boolean out) throws IOException {
    List<Line> lines = out ? writers(channels) : readers(channels);
    try {
      serveFor(lines, Peers.warmUpNanos(plan, channels.size()));
      long begun = System.nanoTime();
      long bytes = serveFor(lines, plan.measuredNanos());
      return bytes * 1e9 / Traffic.SMALL_BYTES / (System.nanoTime() - begun);
    } finally {
      for (SocketChannel channel : channels) {
        channel.close();
      }
    }
  }

  private static List<Line> writers(List<SocketChannel> channels) {
    List<Line> lines = new ArrayList<>();
    for (SocketChannel channel : channels) {
      // Each socket has its own piece, which keeps unsent bytes.
      BarePiece piece = new BarePiece();
      lines.add(() -> piece.write(channel));
    }
    return lines;
  }

  private static List<Line> readers(List<SocketChannel> channels) {
    BarePiece piece = new BarePiece();
    return channels.stream().<Line>map(channel -> () -> piece.read(channel)).toList();
  }

  private static long serveFor(List<Line> lines, long nanos) throws IOException {
    long end = System.nanoTime() + nanos;
    long bytes = 0;
    while (System.nanoTime() - end < 0) {
      for (int i = 0; i < lines.size(); i++) {
        bytes += lines.get(i).move();
      }
    }
    return bytes;
  }
}
