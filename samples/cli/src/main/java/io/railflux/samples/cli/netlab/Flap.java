package io.railflux.samples.cli.netlab;

import io.railflux.samples.cli.shell.CommandFailure;
import io.railflux.samples.cli.shell.Pause;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import reactor.core.Disposable;

/**
 * Pulls and plugs cables at random, sometimes all of them, under a mixed load of small messages, very large messages
 * and requests.
 */
final class Flap {

  static final int REQUEST_BYTES = 32 << 10;

  private static final int SMALL_BYTES = 64;
  private static final int LARGE_BYTES = 64 << 20;
  private static final Duration SETTLING = Duration.ofSeconds(2);
  private static final Duration END = Duration.ofMinutes(2);
  private static final int MIN_MILLIS = 100;
  private static final int MAX_MILLIS = 3_000;

  private final Lab lab;
  private final AtomicReference<Throwable> failure = new AtomicReference<>();

  Flap(Lab lab) {
    this.lab = lab;
  }

  Outcome run() {
    long seed = System.nanoTime();
    lab.say("seed %d".formatted(seed));
    try (Line line = lab.open(lab.allRails())) {
      Flow small = line.flow(SMALL_BYTES);
      Flow large = line.flow(LARGE_BYTES);
      Requests requests = new Requests(line, REQUEST_BYTES);
      Disposable asking = requests.next().repeat().subscribe(null, failure::set);
      Pause.of(SETTLING);
      int pulled = flap(new Random(seed));
      asking.dispose();
      if (failure.get() != null) {
        throw new CommandFailure(
            "a request failed: " + CommandFailure.line(failure.get()), failure.get());
      }
      Order.Tally messages = small.end(END).plus(large.end(END));
      lab.count(requests.tally());
      lab.say("pulled %d times; %,d messages, %,d requests answered"
          .formatted(pulled, messages.received(), requests.tally().received()));
      return lab.outcome("lost", List.of((double) messages.lost()));
    }
  }

  private int flap(Random random) {
    long end = System.nanoTime() + lab.measured().toNanos();
    boolean[] away = new boolean[lab.experiment().rails()];
    int pulled = 0;
    while (System.nanoTime() - end < 0) {
      int rail = random.nextInt(away.length);
      away[rail] = !away[rail];
      if (away[rail]) {
        pulled++;
        lab.cable(rail).pull();
      } else {
        lab.cable(rail).plug();
      }
      Pause.of(Duration.ofMillis(random.nextInt(MIN_MILLIS, MAX_MILLIS)));
    }
    for (int rail = 0; rail < away.length; rail++) {
      lab.cable(rail).plug();
    }
    return pulled;
  }
}
