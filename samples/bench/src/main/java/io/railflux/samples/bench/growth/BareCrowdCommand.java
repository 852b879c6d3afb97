package io.railflux.samples.bench.growth;

import io.railflux.samples.cli.shell.Lifeline;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The other side of {@link BareHub}: one thread per socket, which writes or reads until standard input ends. */
@Command(name = "bare-crowd", hidden = true)
final class BareCrowdCommand implements Callable<Integer> {

  @Option(names = "--port", required = true)
  private int port;

  @Option(names = "--count", required = true)
  private int count;

  @Option(names = "--read", arity = "1")
  private boolean reads;

  static List<String> arguments(int port, int count, boolean reads) {
    return List.of("bare-crowd", "--port", "" + port, "--count", "" + count, "--read=" + reads);
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    Lifeline.watch(() -> {});
    for (int i = 0; i < count; i++) {
      SocketChannel channel =
          SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      Thread thread = new Thread(() -> move(channel), "bare-" + i);
      thread.setDaemon(true);
      thread.start();
    }
    // The lifeline ends this process.
    Thread.currentThread().join();
    return 0;
  }

  private void move(SocketChannel channel) {
    BarePiece piece = new BarePiece();
    try {
      while (reads) {
        piece.read(channel);
      }
      while (!reads) {
        piece.write(channel);
      }
    } catch (IOException e) {
      // The other side closed the socket.
    }
  }
}
