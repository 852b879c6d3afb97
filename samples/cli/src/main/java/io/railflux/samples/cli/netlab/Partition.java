package io.railflux.samples.cli.netlab;

import io.railflux.samples.cli.shell.Pause;
import io.railflux.samples.cli.shell.ProcessFigures;
import java.time.Duration;

/**
 * FT5: pulls all cables under load for ten seconds. Measures the time from the return of one cable to the first
 * message.
 */
final class Partition {

  private static final Duration BEFORE = Duration.ofSeconds(2);
  private static final Duration AWAY = Duration.ofSeconds(10);
  private static final Duration AFTER = Duration.ofSeconds(4);

  private final Lab lab;

  Partition(Lab lab) {
    this.lab = lab;
  }

  Outcome run() {
    return lab.outcome("s", lab.repeat(this::secondsToFirstMessage));
  }

  private double secondsToFirstMessage() {
    try (Line line = lab.open(0, 1)) {
      Flow flow = line.flow(RateDrop.SIZE_BYTES);
      Pause.of(BEFORE);
      pull();
      long memory = ProcessFigures.rssBytes();
      Pause.of(AWAY);
      lab.say(
          "memory of the sender: %+,d KiB".formatted((ProcessFigures.rssBytes() - memory) >> 10));
      plug();
      long plugged = System.nanoTime();
      Pause.of(AFTER);
      Order.Pace pace = flow.pace(new Order.Span(plugged, System.nanoTime(), 0));
      flow.end();
      // The outage ends with the first message. Every other gap is shorter.
      return pace.longestGapNanos() / 1e9;
    } finally {
      plug();
    }
  }

  private void pull() {
    for (int rail : lab.allRails()) {
      lab.cable(rail).pull();
    }
  }

  private void plug() {
    for (int rail : lab.allRails()) {
      lab.cable(rail).plug();
    }
  }
}
