package io.railflux.samples.bench.peers;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;

/**
 * Aeron with the settings of its own benchmarks: a large MTU, large windows, no sparse files and spinning threads.
 * Drivers have no threads, because three spinning threads exceed two processors. Over IPC one driver runs on the
 * reader's thread, which thereby frees space for the writer. Over UDP each side has a driver.
 */
final class AeronContender implements Contender {

  /** Short terms stay in the processor's cache. The largest message occupies an eighth of a term. */
  private static final String TERMS = "term-length=8m|sparse=false";

  private static final String IPC = "aeron:ipc?mtu=65504|" + TERMS;

  private final boolean udp;

  AeronContender(boolean udp) {
    this.udp = udp;
  }

  @Override
  public Far serve(Job job) throws IOException {
    String out = udp ? channel(freePort()) : IPC;
    String back = udp ? channel(freePort()) : IPC;
    AeronDriver driver = new AeronDriver();
    try {
      return new AeronFar(driver, out, back, job);
    } catch (RuntimeException e) {
      driver.close();
      throw e;
    }
  }

  private static String channel(int port) {
    return "aeron:udp?endpoint=127.0.0.1:" + port
        + "|mtu=65504|so-sndbuf=2m|so-rcvbuf=2m|rcv-wnd=2m|" + TERMS;
  }

  private static int freePort() throws IOException {
    try (DatagramSocket socket = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  @Override
  public Near connect(String address, Job job) {
    String[] parts = address.split(",", -1);
    return new AeronNear(udp ? null : parts[0], parts[1], parts[2], job);
  }
}
