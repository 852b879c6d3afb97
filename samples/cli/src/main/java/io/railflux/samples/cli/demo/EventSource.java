package io.railflux.samples.cli.demo;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Sinks;

/** The host's telemetry and a file as one stream of numbered events. */
final class EventSource {

  private final Integer seconds;
  private final Path input;
  private final boolean flood;
  private final HostTelemetry host = new HostTelemetry();
  private final Tally tally = new Tally();
  private final Credits credits = new Credits();
  private long number;

  /**
   * @param seconds of telemetry; null: until the file ends
   * @param input the file, null for none; what is no regular file is read for {@code seconds} at most
   * @param flood whether there are as many readings as are asked for
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

  /** To be subscribed to once. */
  Flux<Event> events() {
    return credits.watch(unnumbered().map(this::numbered));
  }

  private Flux<Event> unnumbered() {
    Flux<Event> readings = (flood ? host.flood() : host.live())
        .map(reading -> new Event(reading.kind(), 0, 0, reading.encoded()));
    if (seconds != null) {
      Duration time = Duration.ofSeconds(seconds);
      // From the first reading that was asked for: the stage may take longer than that to start.
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

  /** A device may have no end, a pipe depends on another process. */
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
