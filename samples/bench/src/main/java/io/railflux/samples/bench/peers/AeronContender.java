package io.railflux.samples.bench.peers;

import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.file.Path;
import org.agrona.concurrent.BackoffIdleStrategy;

/**
 * Aeron as its authors measure it: large MTU, large windows, files without holes, sides that spin. The driver is in
 * the far process: over IPC, where it has nothing to do with a message, on a thread that backs off; over UDP on the
 * thread of the far side, as three threads that spin are more than two processors.
 */
final class AeronContender implements Contender {

  private static final String TERMS = "term-length=16m|sparse=false";

  private final boolean udp;

  AeronContender(boolean udp) {
    this.udp = udp;
  }

  @Override
  public Far serve(Job job) throws IOException {
    Path directory =
        Path.of("/dev/shm", "railflux-aeron-" + ProcessHandle.current().pid());
    String channel = udp
        ? "aeron:udp?endpoint=127.0.0.1:" + freePort()
            + "|mtu=16k|so-sndbuf=2m|so-rcvbuf=2m|rcv-wnd=2m|" + TERMS
        : "aeron:ipc?mtu=65504|" + TERMS;
    MediaDriver driver = MediaDriver.launchEmbedded(new MediaDriver.Context()
        .aeronDirectoryName(directory.toString())
        .threadingMode(udp ? ThreadingMode.INVOKER : ThreadingMode.SHARED)
        .sharedIdleStrategy(new BackoffIdleStrategy())
        .dirDeleteOnStart(true)
        .dirDeleteOnShutdown(true));
    try {
      return new AeronFar(driver, channel, job);
    } catch (RuntimeException e) {
      driver.close();
      throw e;
    }
  }

  private static int freePort() throws IOException {
    try (DatagramSocket socket = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  @Override
  public Near connect(String address, Job job) {
    int comma = address.indexOf(',');
    return new AeronNear(address.substring(0, comma), address.substring(comma + 1), job);
  }
}
