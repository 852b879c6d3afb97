package io.railflux.samples.cli.shell;

import io.railflux.Node;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import reactor.core.publisher.Mono;

/**
 * Ends this process when its parent has ended for any reason. The kernel then closes the other end of standard input.
 */
public final class Lifeline {

  private static final int EXIT_CODE = 1;
  private static final Duration CLOSE_WITHIN = Duration.ofSeconds(1);

  private Lifeline() {}

  /** Closes the node before the end, so that it releases its resources. */
  public static void watch(Node node) {
    watch(() ->
        node.close().timeout(CLOSE_WITHIN).onErrorResume(late -> abort(node)).block());
  }

  /**
   * Runs an action before the end.
   * @param atEnd releases resources, within a short time
   */
  public static void watch(Runnable atEnd) {
    Thread watcher = new Thread(() -> untilEnd(atEnd), "lifeline");
    watcher.setDaemon(true);
    watcher.start();
  }

  private static void untilEnd(Runnable atEnd) {
    try (InputStream in = System.in) {
      while (in.read() >= 0) {
        // The content is ignored. Only the end of input matters.
      }
    } catch (IOException e) {
      // Equivalent to the end of input.
    }
    try {
      atEnd.run();
    } finally {
      Runtime.getRuntime().halt(EXIT_CODE);
    }
  }

  /** Aborts the node. A drain would wait for peers, which may be gone as well. */
  private static Mono<Void> abort(Node node) {
    node.abort();
    return node.onClose().timeout(CLOSE_WITHIN).onErrorComplete();
  }
}
