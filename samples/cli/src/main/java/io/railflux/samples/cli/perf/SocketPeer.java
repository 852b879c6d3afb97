package io.railflux.samples.cli.perf;

import io.railflux.samples.cli.measure.BareSocket;
import io.railflux.samples.cli.measure.SocketMode;
import io.railflux.samples.cli.measure.SocketRounds;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/** The far side of the bare sockets, on its own thread until the near side ends its output. */
final class SocketPeer {

  private SocketPeer() {}

  /**
   * Waits for one connection.
   * @param host listening host of the node
   * @return the listening port
   */
  static int start(Order order, SocketMode mode, String host) throws IOException {
    ServerSocketChannel server = ServerSocketChannel.open();
    try {
      server.bind(host.equals("*") ? new InetSocketAddress(0) : new InetSocketAddress(host, 0));
      int port = ((InetSocketAddress) server.getLocalAddress()).getPort();
      Thread thread = new Thread(() -> serve(server, order, mode), "raw-" + order.round());
      thread.setDaemon(true);
      thread.start();
      return port;
    } catch (IOException | RuntimeException e) {
      server.close();
      throw e;
    }
  }

  private static void serve(ServerSocketChannel server, Order order, SocketMode mode) {
    try (server;
        SocketChannel channel = mode.configure(server.accept());
        BareSocket socket = new BareSocket(channel, order.sizeBytes(), order.work())) {
      if (order.task() == Order.Task.of(mode, true)) {
        SocketRounds.echo(socket);
      } else {
        SocketRounds.count(socket);
      }
    } catch (IOException e) {
      // The end of the connection notifies the near side, which reports the failure.
      return;
    }
  }
}
