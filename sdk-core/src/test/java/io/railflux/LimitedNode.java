package io.railflux;

import io.railflux.fabric.shm.ShmFabricProvider;
import io.railflux.fabric.tcp.TcpFabricProvider;
import io.railflux.message.Codecs;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.DatagramSocket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import reactor.core.Exceptions;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A process with one node that exhausts the resources of the process on command. It reads one command per line, and
 * answers with a line that begins with the same word.
 */
final class LimitedNode {

  static final Route<byte[], Integer> LENGTH =
      new Route<>("length", Codecs.bytes(), Codecs.int32());
  static final Route<Integer, Integer> NUMBERS =
      new Route<>("numbers", Codecs.int32(), Codecs.int32());

  /** A busy machine must not resemble a lost rail. */
  static final Duration DETECT_WITHIN = Duration.ofSeconds(20);

  private static final List<Object> HELD = new ArrayList<>();

  private LimitedNode() {}

  /**
   * Starts the node and runs the commands of its standard input.
   * @param arguments directory of shared memory, name of the node
   */
  public static void main(String[] arguments) throws IOException {
    Node node;
    try {
      node = Railflux.create()
          .name(arguments[1])
          .fabrics(new ShmFabricProvider(Path.of(arguments[0])), new TcpFabricProvider())
          .detectWithin(DETECT_WITHIN)
          .start()
          .block();
    } catch (RuntimeException e) {
      say("failed " + Exceptions.unwrap(e).getMessage());
      return;
    }
    node.respond(LENGTH, bytes -> Mono.just(bytes.length));
    node.respondStream(NUMBERS, count -> Flux.range(0, count));
    say("started");
    BufferedReader commands =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = commands.readLine(); line != null; line = commands.readLine()) {
      String[] words = line.split(" ", 2);
      say(words[0] + " " + run(node, words[0], words.length == 1 ? "" : words[1]));
    }
  }

  private static String run(Node node, String command, String argument) {
    try {
      return switch (command) {
        case "bind" -> node.bind(argument).block();
        case "connect" -> node.connect(argument).block().name();
        case "memory" -> exhaustMemory();
        case "descriptors" -> exhaustDescriptors();
        case "free" -> free();
        default -> throw new IllegalArgumentException(command);
      };
    } catch (RuntimeException e) {
      return "failed: " + Exceptions.unwrap(e).getMessage();
    }
  }

  /** Allocates direct memory to the last byte. */
  private static String exhaustMemory() {
    for (int bytes = 1 << 22; bytes > 0; bytes /= 2) {
      try {
        HELD.add(ByteBuffer.allocateDirect(bytes));
        bytes *= 2;
      } catch (OutOfMemoryError e) {
        // Half of the size may be available.
      }
    }
    return "exhausted";
  }

  private static String exhaustDescriptors() {
    try {
      while (true) {
        HELD.add(new DatagramSocket());
      }
    } catch (SocketException e) {
      return "exhausted";
    }
  }

  private static String free() {
    for (Object held : HELD) {
      if (held instanceof DatagramSocket socket) {
        socket.close();
      }
    }
    HELD.clear();
    System.gc();
    return "done";
  }

  private static synchronized void say(String line) {
    System.out.println(line);
    System.out.flush();
  }
}
