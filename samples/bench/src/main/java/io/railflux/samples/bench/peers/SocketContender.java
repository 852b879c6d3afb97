package io.railflux.samples.bench.peers;

import io.railflux.samples.cli.measure.BareSocket;
import io.railflux.samples.cli.measure.Sample;
import io.railflux.samples.cli.measure.SocketMode;
import io.railflux.samples.cli.measure.SocketRounds;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/** The bare sockets of {@code perf --raw}, with one connection per round. */
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
    while (server.isOpen()) {
      try (BareSocket socket =
          new BareSocket(mode.configure(server.accept()), job.sizeBytes(), job.work())) {
        if (job.roundTrip()) {
          SocketRounds.echo(socket);
        } else {
          SocketRounds.count(socket);
        }
      } catch (IOException endOfRound) {
        // The end of the connection notifies the near side. The next round uses another connection.
      }
    }
  }

  @Override
  public Near connect(String address, Job job) {
    return new Sockets(Integer.parseInt(address), job);
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
    private final Job job;
    private final Due due;

    Sockets(int port, Job job) {
      this.address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
      this.job = job;
      this.due = new Due(job);
    }

    @Override
    public Sample round(long nanos) throws IOException {
      return round(nanos, job.pauseNanos());
    }

    @Override
    public void warmUp(long nanos, long pauseNanos) throws IOException {
      round(nanos, pauseNanos);
    }

    private Sample round(long nanos, long pauseNanos) throws IOException {
      try (BareSocket socket = connect()) {
        if (!job.roundTrip()) {
          return SocketRounds.oneWay(socket, job.sizeBytes(), nanos);
        }
        return job.exchange().sleeps()
            ? SocketRounds.roundTrips(socket, nanos, now -> due.await(pauseNanos))
            : SocketRounds.roundTrips(socket, nanos);
      }
    }

    @Override
    public void rest(long nanos) throws Exception {
      try (BareSocket socket = connect()) {
        long begun = System.nanoTime();
        while (mode == SocketMode.SPINNING && System.nanoTime() - begun < nanos) {
          socket.spin();
        }
        Thread.sleep(Math.max(0, nanos - (System.nanoTime() - begun)) / 1_000_000);
      }
    }

    private BareSocket connect() throws IOException {
      return new BareSocket(
          mode.configure(SocketChannel.open(address)), job.sizeBytes(), job.work());
    }

    @Override
    public void close() {
      due.close();
    }
  }
}
