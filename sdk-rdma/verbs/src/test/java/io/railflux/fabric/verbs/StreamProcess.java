package io.railflux.fabric.verbs;

import io.railflux.Node;
import io.railflux.Peer;
import io.railflux.Railflux;
import io.railflux.message.Codecs;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.CRC32;

/**
 * A second process with one node that listens at every RDMA device, receives the stream {@code up} and
 * tells how much of it came.
 */
final class StreamProcess implements AutoCloseable {

  private static final String LISTENING = "listening at ";
  private static final String RECEIVED = "received ";

  private final Process process;
  private final BufferedReader output;
  private final int port;

  StreamProcess() throws IOException {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    process = new ProcessBuilder(List.of(
            java,
            "-Xmx512m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            System.getProperty("java.class.path"),
            StreamProcess.class.getName()))
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
    output =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    String address = expect(LISTENING);
    port = Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
  }

  /** At which it listens, under every address. */
  int port() {
    return port;
  }

  /** What it got, as {@link #summary} says it. */
  String received() throws IOException {
    return expect(RECEIVED);
  }

  private String expect(String prefix) throws IOException {
    StringBuilder said = new StringBuilder();
    for (String line = output.readLine(); line != null; line = output.readLine()) {
      if (line.startsWith(prefix)) {
        return line.substring(prefix.length());
      }
      said.append(line).append('\n');
    }
    throw new IOException("the process ended without '" + prefix + "':\n" + said);
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
        .fabrics(new VerbsFabricProvider())
        // To pin and map memory takes long in an emulator.
        .ringBytes(1 << 20)
        .allowUnauthenticated()
        // An emulated machine may stand still for a while without being dead.
        .detectWithin(Duration.ofSeconds(5))
        .partitionTimeout(Duration.ofSeconds(60));
  }

  /** In an emulator the first handshake of a cold process may take longer than the fabric waits. */
  static Peer connect(Node node, String addresses) {
    return node.connect(addresses).retry(5).block(Duration.ofMinutes(2));
  }

  static String summary(long count, CRC32 checksum) {
    return count + " messages, checksum " + checksum.getValue();
  }

  public static void main(String[] arguments) {
    Node node = config("receiver").start().block();
    node.peers().subscribe(StreamProcess::receive);
    System.out.println(LISTENING + node.bind("verbs:*:0").block());
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
            failure -> System.out.println(RECEIVED + "failed: " + failure),
            () -> System.out.println(RECEIVED + summary(count.get(), checksum)));
  }
}
