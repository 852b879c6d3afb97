package io.railflux.samples.bench.peers;

import io.railflux.samples.cli.measure.BareSocket;
import io.railflux.samples.cli.measure.Sample;
import io.railflux.samples.cli.measure.SocketMode;
import io.railflux.samples.cli.measure.SocketRounds;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/** The bare sockets of {@code perf --raw}; a connection a round. */
final class SocketContender implements Contender {

  private final SocketMode mode;

  SocketContender(SocketMode mode) {
    this.mode = mode;
  }

  @Override
  public Far serve(Job job) throws IOException {
    ServerSocketChannel server =
        ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    Thread worker = new Thread(() -> accept(server, job), "sockets");
    worker.setDaemon(true);
    worker.start();
    return new Served(server);
  }

  private void accept(ServerSocketChannel server, Job job) {
    try {
      while (true) {
        try (BareSocket socket = new BareSocket(mode.configure(server.accept()), job.sizeBytes())) {
          if (job.roundTrip()) {
            SocketRounds.echo(socket);
          } else {
            SocketRounds.count(socket);
          }
        } catch (EOFException endOfRound) {
          // The next round comes with another connection.
        }
      }
    } catch (ClosedChannelException closed) {
      // So this process ends.
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  @Override
  public Near connect(String address, Job job) {
    return new Sockets(Integer.parseInt(address), job.sizeBytes());
  }

  private record Served(ServerSocketChannel server) implements Far {

    @Override
    public String address() {
      return String.valueOf(server.socket().getLocalPort());
    }

    @Override
    public void close() throws IOException {
      server.close();
    }
  }

  private final class Sockets implements Near {

    private final InetSocketAddress address;
    private final int sizeBytes;

    Sockets(int port, int sizeBytes) {
      this.address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
      this.sizeBytes = sizeBytes;
    }

    @Override
    public Sample oneWay(long nanos) throws IOException {
      try (BareSocket socket = connect()) {
        return SocketRounds.oneWay(socket, sizeBytes, nanos);
      }
    }

    @Override
    public Sample roundTrips(long nanos) throws IOException {
      try (BareSocket socket = connect()) {
        return SocketRounds.roundTrips(socket, nanos);
      }
    }

    private BareSocket connect() throws IOException {
      return new BareSocket(mode.configure(SocketChannel.open(address)), sizeBytes);
    }

    @Override
    public void close() {
      // Nothing is kept between rounds.
    }
  }
}
