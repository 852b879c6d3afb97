package io.railflux;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.fabric.shm.ShmFabricProvider;
import io.railflux.fabric.tcp.TcpFabricProvider;
import io.railflux.message.Codecs;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;

/** Any number of large messages in a JVM with direct memory for few of them. */
@Timeout(value = 240, unit = TimeUnit.SECONDS)
@Tag("RV1")
class LittleDirectMemoryTest {

  private static final int MIB = 1 << 20;
  private static final int PEERS = 7;

  @RegisterExtension
  final LeakCheck leaks = new LeakCheck();

  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp"})
  void memoryOfAMessageServesTheNextToAnotherPeer(String fabric) throws Exception {
    String output = run(fabric);

    assertEquals(PEERS - 1, output.lines().filter(line -> line.equals("sent")).count(), output);
    String last =
        output.lines().filter(line -> line.startsWith("failed ")).findFirst().orElse(output);
    assertTrue(last.contains("node 'client' has no direct memory for a large message of "), output);
    assertTrue(last.contains("raise -XX:MaxDirectMemorySize"), output);
    assertTrue(last.contains("lower sendBudgetBytes (" + MIB + ")"), output);
  }

  private String run(String fabric) throws IOException, InterruptedException {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    Process process = new ProcessBuilder(
            java,
            "-Xmx700m",
            "-XX:MaxDirectMemorySize=160m",
            "-XX:+UseSerialGC",
            "-Dorg.slf4j.simpleLogger.defaultLogLevel=off",
            "-cp",
            System.getProperty("java.class.path"),
            Program.class.getName(),
            leaks.directory().toString(),
            fabric)
        .redirectErrorStream(true)
        .start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertTrue(process.waitFor(10, TimeUnit.SECONDS), output);
    return output;
  }

  /** A node that sends one message of 32 MiB to each of its peers in turn, and finally one without memory. */
  static final class Program {

    private static final Duration LONG = Duration.ofSeconds(60);

    private Program() {}

    public static void main(String[] arguments) {
      Path directory = Path.of(arguments[0]);
      Node client = start("client", directory);
      List<Node> servers = new ArrayList<>();
      List<Peer> peers = new ArrayList<>();
      for (int i = 0; i < PEERS; i++) {
        Node server = start("server" + i, directory);
        servers.add(server);
        server.peers().flatMap(peer -> peer.receive("one", Codecs.bytes())).subscribe();
        String address = arguments[1].equals("tcp") ? "tcp:127.0.0.1:0" : "shm:little-" + i;
        peers.add(client.connect(server.bind(address).block(LONG)).block(LONG));
      }
      byte[] large = new byte[32 * MIB];
      for (Peer peer : peers.subList(1, PEERS)) {
        send(peer, large);
      }
      send(peers.get(0), new byte[200 * MIB]);
      servers.forEach(server -> server.close().block(LONG));
      client.close().block(LONG);
    }

    private static Node start(String name, Path directory) {
      return Railflux.create()
          .name(name)
          .fabrics(new ShmFabricProvider(directory), new TcpFabricProvider())
          .sendBudgetBytes(MIB)
          .receiveBudgetBytes(MIB)
          .start()
          .block(LONG);
    }

    private static void send(Peer peer, byte[] message) {
      try {
        peer.send("one", Codecs.bytes(), Flux.just(message)).block(LONG);
        System.out.println("sent");
      } catch (RuntimeException e) {
        System.out.println("failed " + e.getMessage());
      }
    }
  }
}
