package io.railflux.samples.cli.netlab;

import io.railflux.metrics.RailEvent;
import io.railflux.samples.cli.shell.CommandFailure;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import reactor.core.Disposable;

/** D12: rails under full load in both directions are not suspected, regardless of the duration. */
final class Soak {

  private static final int SMALL_BYTES = 64;

  private final Lab lab;
  private final AtomicLong alarms = new AtomicLong();
  private final AtomicReference<Throwable> failure = new AtomicReference<>();

  Soak(Lab lab) {
    this.lab = lab;
  }

  Outcome run() {
    try (Line line = lab.open(lab.allRails())) {
      line.peer().railEvents().filter(Soak::isAlarm).subscribe(this::alarmed);
      Flow small = line.flow(SMALL_BYTES);
      Requests requests = new Requests(line, Flap.REQUEST_BYTES);
      Disposable asking = requests.next().repeat().subscribe(null, failure::set);
      double rate = line.bytesPerSecondBothWays(Scaling.SIZE_BYTES, lab.measured());
      asking.dispose();
      if (failure.get() != null) {
        throw new CommandFailure(
            "a request failed: " + CommandFailure.line(failure.get()), failure.get());
      }
      lab.say("%.4g MB/s in both directions, %,d small messages, %,d requests answered"
          .formatted(rate / 1e6, small.end().received(), requests.tally().received()));
      lab.count(requests.tally());
      // The value is read before the end, which is no fault.
      return lab.outcome("alarms", List.of((double) alarms.get()));
    }
  }

  private static boolean isAlarm(RailEvent event) {
    return event.kind() == RailEvent.Kind.LOST || event.kind() == RailEvent.Kind.PAUSED;
  }

  private void alarmed(RailEvent event) {
    alarms.incrementAndGet();
    lab.say("alarm: " + event);
  }
}
