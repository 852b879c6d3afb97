package io.railflux.samples.cli.demo;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Sinks;

/** Telemetry of the host and a file as one stream of numbered events. */
final class EventSource {

  private final Integer seconds;
  private final Path input;
  private final boolean flood;
  private final HostTelemetry host = new HostTelemetry();
  private final Tally tally = new Tally();
  private final Credits credits = new Credits();
  private long number;

  /**
   * @param seconds duration of the telemetry; null to end with the file
   * @param input the file, or null; an irregular file is read for at most {@code seconds}
   * @param flood whether readings are repeated to meet any demand
   */
  EventSource(Integer seconds, Path input, boolean flood) {
    this.seconds = seconds;
    this.input = input;
    this.flood = flood;
  }

  Tally tally() {
    return tally;
  }

  Credits credits() {
    return credits;
  }

  /** Returns a publisher for one subscription. */
  Flux<Event> events() {
    return credits.watch(unnumbered().map(this::numbered));
  }

  private Flux<Event> unnumbered() {
    Flux<Event> readings = (flood ? host.flood() : host.live())
        .map(reading -> new Event(reading.kind(), 0, 0, reading.encoded()));
    if (seconds != null) {
      Duration time = Duration.ofSeconds(seconds);
      // Starts at the first requested reading, because the stage may take longer than that to
      // start.
      readings = readings.switchOnFirst((first, all) -> all.take(time));
    }
    if (input == null) {
      return readings;
    }
    Sinks.Empty<Void> fileEnded = Sinks.empty();
    Flux<Event> file = bounded(FileChunks.of(input))
        .map(chunk -> new Event(Event.Kind.FILE, 0, 0, chunk))
        .doFinally(end -> fileEnded.tryEmitEmpty());
    Flux<Event> telemetry =
        seconds == null ? readings.takeUntilOther(fileEnded.asMono()) : readings;
    return Flux.merge(file, telemetry);
  }

  /** A device may have no end, and a pipe depends on another process. */
  private Flux<byte[]> bounded(Flux<byte[]> chunks) {
    return seconds == null || Files.isRegularFile(input)
        ? chunks
        : chunks.take(Duration.ofSeconds(seconds));
  }

  private Event numbered(Event event) {
    Event numbered = new Event(event.kind(), number++, System.nanoTime(), event.payload());
    tally.add(numbered);
    return numbered;
  }
}
