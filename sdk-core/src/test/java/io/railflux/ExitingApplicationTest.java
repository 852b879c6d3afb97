package io.railflux;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.fabric.shm.ShmFabricProvider;
import io.railflux.message.Codecs;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

/** SIGTERM for applications with their own life cycle. {@code TwoProcessTest} covers a plain main method. */
class ExitingApplicationTest {

  @RegisterExtension
  final LeakCheck leaks = new LeakCheck();

  @RegisterExtension
  final Nodes nodes = new Nodes(leaks);

  private Child start(String mode) throws Exception {
    Child child = new Child(
        System.getProperty("java.class.path"),
        "off",
        Application.class,
        leaks.directory().toString(),
        mode);
    child.expect("READY");
    return child;
  }

  /** Containers finish pending work over the node first, then close the node. */
  @ParameterizedTest
  @ValueSource(strings = {"ShutdownHook", "Thread-7"})
  void finishesItsWorkOverTheNodeAndThenClosesIt(String hook) throws Exception {
    try (Child child = start(hook)) {
      child.signal("TERM");
      child.expect("FINISHING");
      child.say("go");
      child.expect("REPLY hello work");
      child.expect("CLOSED");
      assertTrue(child.ended());
    }
  }

  @Test
  void endsWithoutAnExplicitCloseAndTheNodeDrains() throws Exception {
    try (Child child = start("ForgetfulShutdownHook")) {
      Peer peer = connected();
      child.signal("TERM");
      child.expect("FINISHING");
      child.say("go");
      child.expect("REPLY hello work");
      assertDrained(peer);
      assertTrue(child.ended());
    }
  }

  private Peer connected() {
    return nodes.start("observer").connect("shm:self").block(Nodes.PATIENCE);
  }

  /** Requires a drain. A peer whose process ends without a drain is lost, which is an error here. */
  private static void assertDrained(Peer peer) {
    peer.onClose().block(Nodes.PATIENCE);
  }

  /**
   * The JVM cannot distinguish such a hook from one of the application, of a server's stop port, or of its web hooks.
   */
  @ParameterizedTest
  @ValueSource(strings = {"producer", "ShutdownMonitor daemon", "webhook-sender"})
  void hasAnEndlessThreadAndTheNodeDrainsWithinTheBound(String thread) throws Exception {
    try (Child child = start("endless " + thread)) {
      Peer peer = connected();
      child.signal("TERM");
      assertDrained(peer);
      assertTrue(child.ended());
    }
  }

  /** A node that sends requests to itself, and a shutdown hook whose name is the mode. */
  static final class Application {

    private static final Route<String, String> HELLO =
        new Route<>("hello", Codecs.utf8(), Codecs.utf8());

    private Application() {}

    public static void main(String[] arguments) {
      String mode = arguments[1];
      Node node = Railflux.create()
          .name("application")
          .fabrics(new ShmFabricProvider(Path.of(arguments[0])))
          .drainTimeout(Duration.ofSeconds(mode.startsWith("endless") ? 3 : 20))
          .start()
          .block(Nodes.PATIENCE);
      node.respond(HELLO, name -> Mono.just("hello " + name));
      node.bind("shm:self").block(Nodes.PATIENCE);
      Peer self = node.connect("shm:self").block(Nodes.PATIENCE);
      if (mode.startsWith("endless")) {
        Thread endless = new Thread(Application::never, mode.split(" ", -1)[1]);
        endless.setDaemon(mode.endsWith("daemon"));
        endless.start();
      } else {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> finish(node, self, mode), mode));
      }
      System.out.println("READY");
      node.onClose().block();
    }

    private static void finish(Node node, Peer self, String mode) {
      System.out.println("FINISHING");
      awaitLine();
      System.out.println("REPLY " + self.request(HELLO, "work").block(Nodes.PATIENCE));
      if (!mode.startsWith("Forgetful")) {
        node.close().block(Nodes.PATIENCE);
        System.out.println("CLOSED");
      }
    }

    private static void awaitLine() {
      try {
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)).readLine();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    private static void never() {
      try {
        new CountDownLatch(1).await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
