package io.railflux.samples.cli.demo;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;

/**
 * Rates, credits, queues, delays and memory during the demo, redrawn in place. Each line is cut at the width of the
 * terminal, because a wrapped line cannot be redrawn.
 */
final class View implements Demo.Watching {

  private static final Duration PERIOD = Duration.ofMillis(500);
  private static final String CLEAR_LINE = "\u001b[2K";

  /** DECAWM off: the terminal cuts a long line instead of wrapping it. */
  private static final String CUT_LINES = "\u001b[?7l";

  /** With wrapping off, the terminal writes all excess characters into its last column. */
  private static final String CLEAR_LAST_COLUMN = "\u001b[999G ";

  private static final String WRAP_LINES = "\u001b[?7h";

  private final PrintWriter out;
  private final Supplier<Picture.Moment> look;
  private final Picture picture;
  private final Disposable ticks;
  private int drawn;
  private boolean closed;

  private View(PrintWriter out, Supplier<Picture.Moment> look) {
    this.out = out;
    this.look = look;
    this.picture = new Picture(look.get());
    this.ticks = Flux.interval(PERIOD).onBackpressureDrop().subscribe(tick -> draw());
  }

  /** Returns a view that does nothing unless standard output is a terminal. */
  static Demo.Watching of(PrintWriter out, Supplier<Picture.Moment> look) {
    if (isTerminal()) {
      return new View(out, look);
    }
    return () -> {};
  }

  private static boolean isTerminal() {
    try {
      String target = Files.readSymbolicLink(Path.of("/proc/self/fd/1")).toString();
      return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty");
    } catch (IOException e) {
      return false;
    }
  }

  private synchronized void draw() {
    if (closed) {
      return;
    }
    List<String> lines = picture.lines(look.get());
    if (drawn > 0) {
      out.print("\u001b[" + drawn + "A");
    }
    out.print(CUT_LINES);
    lines.forEach(line -> out.println(CLEAR_LINE + line + CLEAR_LAST_COLUMN));
    out.print(WRAP_LINES);
    out.flush();
    drawn = lines.size();
  }

  @Override
  public synchronized void close() {
    ticks.dispose();
    draw();
    closed = true;
  }
}
