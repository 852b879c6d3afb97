package io.railflux.samples.cli.shell;

import io.railflux.Node;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import reactor.core.publisher.Mono;

/**
 * Ends this process when the one that started it is gone, however that ended: the kernel then closes
 * the other end of standard input.
 */
public final class Lifeline {

  private static final int EXIT_CODE = 1;
  private static final Duration CLOSE_WITHIN = Duration.ofSeconds(1);

  private Lifeline() {}

  /** Closes the node first, so that nothing of it stays behind. */
  public static void watch(Node node) {
    watch(() ->
        node.close().timeout(CLOSE_WITHIN).onErrorResume(late -> abort(node)).block());
  }

  /**
   * Cleans up first.
   *
   * @param atEnd leaves nothing behind, soon
   */
  public static void watch(Runnable atEnd) {
    Thread watcher = new Thread(() -> untilEnd(atEnd), "lifeline");
    watcher.setDaemon(true);
    watcher.start();
  }

  private static void untilEnd(Runnable atEnd) {
    try (InputStream in = System.in) {
      while (in.read() >= 0) {
        // Nothing is said on this line; what counts is that it ends.
      }
    } catch (IOException e) {
      // As good as an end.
    }
    try {
      atEnd.run();
    } finally {
      Runtime.getRuntime().halt(EXIT_CODE);
    }
  }

  /** Draining takes as long as the others take, who may be gone as well; ending does not. */
  private static Mono<Void> abort(Node node) {
    node.abort();
    return node.onClose().timeout(CLOSE_WITHIN).onErrorComplete();
  }
}
