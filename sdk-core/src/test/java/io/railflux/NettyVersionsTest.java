package io.railflux;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.exceptions.FabricUnavailableException;
import io.railflux.fabric.shm.ShmFabricProvider;
import io.railflux.fabric.tcp.TcpFabricProvider;
import io.railflux.message.Codecs;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

/**
 * Nodes in JVMs with other versions of Netty, as frameworks pin them, and without Netty. The build copies those
 * versions to {@code target/netty}.
 */
class NettyVersionsTest {

  private static final String REMEDY = "set <netty.version>" + ownVersion() + "</netty.version>";

  @RegisterExtension
  final LeakCheck leaks = new LeakCheck();

  private static String ownVersion() {
    return io.netty.util.Version.identify().get("netty-transport").artifactVersion();
  }

  /** Returns the class path of the tests with a version of Netty instead of the build's. */
  private static String classPath(String version) throws IOException {
    Stream<String> without = Arrays.stream(
            System.getProperty("java.class.path").split(File.pathSeparator, -1))
        .filter(entry -> !new File(entry).getName().startsWith("netty-"));
    if (version.equals("none")) {
      return without.collect(Collectors.joining(File.pathSeparator));
    }
    try (Stream<Path> jars = Files.list(Path.of("target", "netty", version))) {
      return Stream.concat(jars.map(Path::toString), without)
          .collect(Collectors.joining(File.pathSeparator));
    }
  }

  private Child start(String version, String... arguments) throws IOException {
    String[] all = Stream.concat(Stream.of(leaks.directory().toString()), Stream.of(arguments))
        .toArray(String[]::new);
    return new Child(classPath(version), "info", Asking.class, all);
  }

  @Test
  void bomPinsTheVersionOfTheBuild() throws Exception {
    String bom = Files.readString(Path.of("..", "sdk-bom", "pom.xml"));
    assertTrue(bom.contains("<netty.version>" + ownVersion() + "</netty.version>"), bom);
  }

  /** The BOM has no parent, and Maven's default plugin versions are old. */
  @ParameterizedTest
  @ValueSource(strings = {"maven-install-plugin", "maven-deploy-plugin"})
  void bomIsInstalledByThePluginsOfTheBuild(String plugin) throws Exception {
    String bom = Files.readString(Path.of("..", "sdk-bom", "pom.xml"));
    String build = Files.readString(Path.of("..", "pom.xml"));
    String version = "<" + plugin + ".version>[^<]+</" + plugin + ".version>";
    String pinned =
        Pattern.compile(version).matcher(build).results().findFirst().get().group();
    assertTrue(bom.contains(pinned), bom);
    assertTrue(bom.contains("<version>${" + plugin + ".version}</version>"), bom);
  }

  @ParameterizedTest
  @ValueSource(strings = {"4.2.1.Final", "4.2.7.Final"})
  void sharedMemoryAndTcpWork(String version) throws Exception {
    try (Child child = start(version)) {
      assertEquals("REPLY shm hello", child.expect("REPLY shm"));
      assertEquals("REPLY tcp hello", child.expect("REPLY tcp"));
      assertTrue(child.ended());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"4.1.121.Final", "4.2.0.Final"})
  void sharedMemoryWorksAloneAndTheNodeReportsTheRemedy(String version) throws Exception {
    try (Child child = start(version)) {
      String line =
          child.expect("[main] INFO io.railflux.OpenFabrics - node 'asking' runs without tcp");
      assertTrue(line.contains("needs Netty 4.2.1 or later"), line);
      assertTrue(line.contains(version), line);
      assertTrue(line.contains(REMEDY), line);
      assertEquals("REPLY shm hello", child.expect("REPLY shm"));
      String failed = child.expect("FAILED tcp");
      assertTrue(failed.contains(FabricUnavailableException.class.getName()), failed);
      assertTrue(failed.contains(REMEDY), failed);
      assertTrue(child.ended());
    }
  }

  @Test
  void sharedMemoryNeedsNoNetty() throws Exception {
    try (Child child = start("none")) {
      String line =
          child.expect("[main] INFO io.railflux.OpenFabrics - node 'asking' runs without tcp");
      assertTrue(line.contains("Netty is not on the class path"), line);
      assertEquals("REPLY shm hello", child.expect("REPLY shm"));
      child.expect("FAILED tcp");
      assertTrue(child.ended());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"4.1.121.Final", "none"})
  void nodeWithTcpOnlyDoesNotStart(String version) throws Exception {
    try (Child child = start(version, "tcp-only")) {
      String failed = child.expect("FAILED start");
      assertTrue(failed.contains("fabric tcp is unavailable: tcp: TCP needs Netty"), failed);
      assertTrue(child.ended());
    }
  }

  /** A node that sends requests to itself over each fabric. */
  static final class Asking {

    private static final Route<String, String> ROUTE =
        new Route<>("hello", Codecs.utf8(), Codecs.utf8());

    private Asking() {}

    public static void main(String[] arguments) {
      Railflux config = Railflux.create().name("asking");
      config = arguments.length > 1
          ? config.fabrics(new TcpFabricProvider())
          : config.fabrics(new ShmFabricProvider(Path.of(arguments[0])), new TcpFabricProvider());
      try {
        Node node = config.start().block(Nodes.PATIENCE);
        node.respond(ROUTE, Mono::just);
        ask(node, "shm:asking");
        ask(node, "tcp:127.0.0.1:0");
        node.close().block(Nodes.PATIENCE);
      } catch (RuntimeException e) {
        System.out.println("FAILED start " + e);
      }
    }

    private static void ask(Node node, String address) {
      String fabric = address.substring(0, 3);
      try {
        String bound = node.bind(address).block(Nodes.PATIENCE);
        Peer peer = node.connect(bound).block(Nodes.PATIENCE);
        System.out.println(
            "REPLY " + fabric + " " + peer.request(ROUTE, "hello").block(Nodes.PATIENCE));
      } catch (RuntimeException e) {
        System.out.println("FAILED " + fabric + " " + e);
      }
    }
  }
}
