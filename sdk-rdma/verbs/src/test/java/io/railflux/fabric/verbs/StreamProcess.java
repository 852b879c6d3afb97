package io.railflux.fabric.verbs;

import io.railflux.Node;
import io.railflux.Peer;
import io.railflux.Railflux;
import io.railflux.fabric.tcp.TcpFabricProvider;
import io.railflux.message.Codecs;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.CRC32;

/**
 * A second process with one node. It listens on every RDMA device, and over TCP on loopback. It receives the stream
 * {@code up} of each peer and reports the received part.
 */
final class StreamProcess implements AutoCloseable {

  private static final String LISTENING = "listening at ";
  private static final String RECEIVED = "received from ";

  private final Process process;
  private final BufferedReader output;
  private final int port;
  private final String tcpAddress;

  private StreamProcess() throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(StreamProcess.class.getName());
    process = new ProcessBuilder(command)
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
    output =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    String[] addresses = expect(LISTENING).split(" ", -1);
    port = port(addresses[0]);
    tcpAddress = addresses[1];
  }

  private static int port(String address) {
    return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
  }

  /** Returns after the process listens. */
  static StreamProcess start() {
    try {
      return new StreamProcess();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the listening port, common to all addresses. */
  int port() {
    return port;
  }

  /** Returns the TCP address. */
  String tcpAddress() {
    return tcpAddress;
  }

  /** Returns the {@link #summary} of the messages from a node. */
  String receivedFrom(String sender) throws IOException {
    return expect(RECEIVED + sender + ": ");
  }

  private String expect(String prefix) throws IOException {
    StringBuilder printed = new StringBuilder();
    for (String line = output.readLine(); line != null; line = output.readLine()) {
      if (line.startsWith(prefix)) {
        return line.substring(prefix.length());
      }
      printed.append(line).append('\n');
    }
    throw new IOException("the process ended without '" + prefix + "':\n" + printed);
  }

  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(10, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }

  static Railflux config(String name) {
    return Railflux.create()
        .name(name)
        .fabrics(new VerbsFabricProvider(), new TcpFabricProvider())
        // Pinning and mapping memory is slow in an emulator.
        .ringBytes(1 << 20)
        .allowUnauthenticated()
        // An emulated machine may pause without being dead.
        .detectWithin(Duration.ofSeconds(30))
        .partitionTimeout(Duration.ofMinutes(2));
  }

  /** Connects. In an emulator, the first handshake of a new process may exceed the time limit of the fabric. */
  static Peer connect(Node node, String addresses) {
    return node.connect(addresses).retry(5).block(Duration.ofMinutes(2));
  }

  static String summary(long count, CRC32 checksum) {
    return count + " messages, checksum " + checksum.getValue();
  }

  public static void main(String[] arguments) {
    Node node = config("receiver").start().block();
    node.peers().subscribe(StreamProcess::receive);
    String verbs = node.bind("verbs:*:0").block();
    System.out.println(LISTENING + verbs + " " + node.bind("tcp:127.0.0.1:0").block());
    node.onClose().block();
  }

  private static void receive(Peer peer) {
    AtomicLong count = new AtomicLong();
    CRC32 checksum = new CRC32();
    peer.receive("up", Codecs.bytes())
        .doOnNext(message -> {
          count.incrementAndGet();
          checksum.update(message);
        })
        .subscribe(
            message -> {},
            failure -> report(peer, "failed: " + failure),
            () -> report(peer, summary(count.get(), checksum)));
  }

  private static void report(Peer peer, String outcome) {
    System.out.println(RECEIVED + peer.name() + ": " + outcome);
  }
}
