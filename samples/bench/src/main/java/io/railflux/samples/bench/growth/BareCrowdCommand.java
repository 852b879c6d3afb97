package io.railflux.samples.bench.growth;

import io.railflux.samples.cli.shell.Lifeline;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The other side of {@link BareFanIn}: so many threads, which encode and write until standard input ends. */
@Command(name = "bare-crowd", hidden = true)
final class BareCrowdCommand implements Callable<Integer> {

  static final int WRITE_BYTES = 64 << 10;

  @Option(names = "--port", required = true)
  private int port;

  @Option(names = "--count", required = true)
  private int count;

  @Override
  public Integer call() throws IOException, InterruptedException {
    Lifeline.watch(() -> {});
    for (int i = 0; i < count; i++) {
      SocketChannel channel =
          SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      Thread writer = new Thread(() -> write(channel), "bare-" + i);
      writer.setDaemon(true);
      writer.start();
    }
    // The lifeline ends this process.
    Thread.currentThread().join();
    return 0;
  }

  private static void write(SocketChannel channel) {
    ByteBuffer buffer = ByteBuffer.allocateDirect(WRITE_BYTES);
    try {
      for (long number = 0; ; buffer.clear()) {
        while (buffer.hasRemaining()) {
          buffer.putLong(number++);
        }
        buffer.flip();
        while (buffer.hasRemaining()) {
          channel.write(buffer);
        }
      }
    } catch (IOException e) {
      // The other side has seen enough.
    }
  }
}
